# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Writes docs/prices.md from the documents of test/prices/run: NAME-scale.json, and NAME-least.json beside it."""
import json
import sys

KINDS = ["rcu", "tasks", "tasks_trace", "srcu", "text"]
SHORT = {"tasks_trace": "trace"}
SCALE = "pload compare --scale=1,10 -e %s"
LEAST = "pload compare --only=least -e %s"

# The release that brought a way, and the function of the kernel that attaches.
SINCE = [
    ("perf event by ioctl", "`type+ioctl`, `tracefs+ioctl`", "4.1, 4.7, 4.9", "perf_event_set_bpf_prog()"),
    ("raw tracepoint", "`raw`", "4.17", "bpf_raw_tp_link_attach()"),
    ("probe of the PMU", "`pmu+ioctl`", "4.17, semaphores 4.20", "perf_kprobe_event_init(), perf_uprobe_event_init()"),
    ("link of a perf event", "`type+link`, `tracefs+link`, `pmu+link`", "5.15", "bpf_perf_link_attach()"),
    ("kprobe.multi", "`multi` of kprobes", "5.18", "bpf_kprobe_multi_link_attach()"),
    ("uprobe.multi", "`multi` of uprobes", "6.6", "bpf_uprobe_multi_link_attach()"),
]


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def name_of(doc):
    return doc["kernel"]["release"].split("-")[0].split("+")[0] + " " + doc["kernel"]["machine"]


def cell_of(way, number):
    for cell in way["cells"]:
        if cell["number"] == number and "attach" in cell:
            return cell
    return None


def waits_of(way, step):
    """The waits of ten, for each of them or for all. A count changes a little with what else the kernel waits for."""
    cell = cell_of(way, 10)
    if cell is None:
        return "refused" if way["error"] else "-"
    step = cell[step]
    if not isinstance(step, dict) or step["waits"] is None:
        return "not counted"
    each, once = [], []
    for kind in KINDS:
        n, word = step["waits"][kind], SHORT.get(kind, kind)
        if n and n >= 8:
            each.append("%d %s" % (round(n / 10), word))
        elif n:
            once.append("%d %s" % (n, word))
    text = (["%s each" % ", ".join(each)] if each else []) + (["%s for all" % ", ".join(once)] if once else [])
    return "; ".join(text) or "0"


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def waits_table(docs, step):
    rows = []
    keys = []
    for doc in docs:
        for way in doc["scale"]["ways"]:
            if (way["kind"], way["way"]) not in keys:
                keys.append((way["kind"], way["way"]))
    for kind, name in keys:
        cells = [next((waits_of(w, step) for w in doc["scale"]["ways"] if (w["kind"], w["way"]) == (kind, name)), "-")
                 for doc in docs]
        rows.append([kind, "`%s`" % name] + cells)
    table(["", "way"] + [name_of(doc) for doc in docs], rows)


def cost_rows(docs):
    for doc in docs:
        for way in doc["scale"]["ways"]:
            cell = cell_of(way, 10)
            if cell:
                yield name_of(doc), way, cell


def calls_table(docs):
    rows, seen = [], set()
    for _, way, cell in cost_rows(docs):
        if (way["kind"], way["way"]) in seen:
            continue
        seen.add((way["kind"], way["way"]))
        attach, left = cell["attach"], cell["exit"]["lines_left"] if isinstance(cell["exit"], dict) else 0
        rows.append([way["kind"], "`%s`" % way["way"], str(attach["calls"]), str(cell["close"]["calls"]),
                     str(attach["descriptors"]), str(attach["lines"]), str(left)])
    table(["", "way", "calls to attach", "calls to close", "descriptors", "lines of tracefs", "lines left by exit"], rows)


def median(values):
    return sorted(values)[len(values) // 2]


def tricks_table(docs):
    """The time of a trick as a share of closing ten in order: the median over the ways of all kernels."""
    tricks = [("exit", "leaving it to exit"), ("kill", "SIGKILL"), ("events_first", "closing each event before its link"),
              ("disable", "`PERF_EVENT_IOC_DISABLE` before each close"), ("threads", "closing from eight tasks")]
    rows = []
    for trick, what in tricks:
        shares = [cell[trick]["ns"] / cell["close"]["ns"] for _, _, cell in cost_rows(docs)
                  if "threads" in cell and isinstance(cell.get(trick), dict)]
        if shares:
            rows.append([what, "%.2f" % median(shares), "%.2f to %.2f" % (min(shares), max(shares)), str(len(shares))])
    table(["trick", "median share of the time", "range", "measurements"], rows)


def least_rows(doc):
    """event, cell -> what each row answers."""
    for event in doc.get("events", []):
        for section in event.get("sections", []):
            if section["id"] == "least":
                for row in section["rows"]:
                    for cell, answer in row["cells"].items():
                        yield event, cell, row["id"], answer["answer"]


def least_table(docs):
    found, keys = {}, []
    for i, doc in enumerate(docs):
        for event, cell, row, answer in least_rows(doc):
            key = (event["type"], cell)
            if key not in keys:
                keys.append(key)
            found.setdefault((key, i), {})[row] = answer
    rows = []
    for key in keys:
        cells = []
        for i in range(len(docs)):
            answers = found.get((key, i), {})
            words = [answer.replace("CAP_", "") for answer in answers.values()]
            cells.append("; with a token ".join(words) if words else "-")
        rows.append([key[0], "`%s`" % key[1]] + cells)
    table(["", "way"] + [name_of(doc) for doc in docs], rows)


def main(paths):
    docs = sorted((load(path) for path in paths if path.endswith("-scale.json")),
                  key=lambda doc: [int(n) for n in name_of(doc).split()[0].split(".")])
    least = {}
    for path in paths:
        try:
            least[name_of(load(path))] = load(path.replace("-scale.json", "-least.json"))
        except (OSError, ValueError):
            pass
    print("""<!-- SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause -->
<!-- How often attaching and closing wait, by way and kernel; which kernels have a way, and who may use it. From test/prices/run. -->
# The price of many attachments

`sh test/prices/run x86-64/5.10 x86-64/6.12 x86-64/newest` measured the figures on this page, on the running kernel (6.18 here) and in
[virtual machines](vm.md). [scale.md](scale.md) explains the terms. The page has only counts, which are the same on every machine; times in
an emulated machine are meaningless.

Closing takes as long as its waits, one after another. A grace period takes 10 to 40 ms on a machine with two CPUs, whatever the program
does. So closing a probe's perf event takes 0.1 s, and closing a thousand of them takes minutes. A multi link waits as often for a thousand
functions as for one. A process that exits without closing waits as often, because the kernel closes its files one by one.

## Waits when closing

For each of ten attachments, or for all ten together: """ + "`%s`. " % (SCALE % "uprobe") + """`rcu`, `tasks`, `trace` and `srcu`
are grace periods; `text` counts batches of patches to the kernel's code, where possible.
""")
    waits_table(docs, "close")
    print("## Waits when attaching\n")
    waits_table(docs, "attach")
    print("## Calls, descriptors and lines for ten attachments\n\nOn the first kernel in the tables above that has the way: `%s -v`.\n"
          % (SCALE % "uprobe"))
    calls_table(docs)
    print("## Tricks\n\nThe time to detach ten tracepoints or probes, relative to closing them in order. A ratio near 1 is due to "
          "chance.\n`%s`\n" % (SCALE % "uprobe"))
    tricks_table(docs)
    print("## Availability\n")
    table(["", "ways", "Linux", "function"], [[what, ways, since, "`%s`" % call] for what, ways, since, call in SINCE])
    print("""## Privileges

The minimal capabilities with which all steps succeed, for a user other than root, and in a user namespace with a BPF token to which
everything is delegated: `%s`. If a step is refused, the cell names it. `kernel.perf_event_paranoid` is 3 on Debian's
kernels and 2 on this one. On 6.18, a uprobe.multi link only needs CAP_BPF and CAP_PERFMON, while a uprobe of the PMU needs CAP_SYS_ADMIN:
`setpriv --ambient-caps=+bpf,+perfmon --inh-caps=+bpf,+perfmon --reuid=nobody pload compare --scale=1 -e uprobe`.
""" % (LEAST % "uprobe"))
    least_table([least.get(name_of(doc), {"events": [], "kernel": doc["kernel"]}) for doc in docs])


if __name__ == "__main__":
    main(sys.argv[1:])
