// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Renders the document of pload compare that this page carries. page.c describes the data.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const STEPS = ["open", "bind", "enable", "detach"];
const OUTCOMES = ["fires", "silent", "unknown", "absent", "denied", "refused"];
const CELLS_MAX = 16;

// A document may come from any file: a member of another type counts as absent.
const list = (value) => (Array.isArray(value) ? value : []);
const object = (value) => (value && typeof value === "object" ? value : {});
const text = (value, otherwise) => (typeof value === "string" ? value : otherwise);

// Data becomes text of the page here and nowhere else: it is never parsed as HTML.
function put(parent, string) {
  parent.append(document.createTextNode(visible(String(string))));
}

function add(parent, name, string, className, attributes) {
  const element = document.createElement(name);

  if (string !== undefined)
    put(element, string);
  if (className)
    element.className = className;
  for (const [key, value] of Object.entries(attributes || {}))
    element.setAttribute(key, value);
  parent.append(element);
  return element;
}

// Long names may be broken after each "_", names of cells before the "+".
function putBreakable(parent, string) {
  visible(string).split(/(?<=_)|(?=\+)/).forEach((part, i) => {
    if (i)
      add(parent, "wbr");
    put(parent, part);
  });
}

// Text of docs/reasons has code between backticks.
function putProse(parent, string) {
  string.split("`").forEach((part, i) => {
    if (i % 2)
      add(parent, "code", part);
    else
      put(parent, part);
  });
}

// A box that scrolls sideways, by keyboard too. A narrow screen shows all columns of one that @fits.
const addBox = (parent, label, fits) =>
  add(parent, "div", undefined, fits ? "box fits" : "box",
    { tabindex: "0", role: "region", "aria-label": visible(label) });

const outcomeClass = (answer) => (OUTCOMES.includes(answer) ? answer : "");
const reasonId = (code) => "why-" + code.replace(/[^a-zA-Z0-9]/g, "-");

// --- one event ---

function cellsOf(event) {
  const cells = new Map();

  for (const cell of list(object(event).cells)) {
    const name = text(object(cell).cell);

    if (name !== undefined && !cells.has(name) && cells.size < CELLS_MAX)
      cells.set(name, object(cell));
  }
  return cells;
}

// The answer of one cell in one row: {answer, detail, ns}, whose answer is absent for no answer.
const answerOf = (row, name) => object(object(object(row).cells)[name]);

const differenceKey = (of, section, row) =>
  JSON.stringify([text(of.event, null), text(of.program, null), section, row]);
const differing = new Set(list(object(data.document).differences).map((difference) => {
  const d = object(difference);

  return differenceKey(d, text(d.section, ""), text(d.row, ""));
}));

// The least privileges are shown even if all cells agree.
const isAlways = (section) => section.id === "least";

const rowDiffers = (event, section, row) =>
  differing.has(differenceKey(event, text(section.id, ""), text(row.id, text(row.what, ""))));

function addRow(body, names, event, section, row) {
  const what = text(row.what, text(row.id, ""));
  const answers = names.map((name) => text(answerOf(row, name).answer));
  const timed = names.some((name) => Number.isFinite(answerOf(row, name).ns));
  const differs = rowDiffers(event, section, row);
  const alike = !timed && names.length > 1 && !outcomeClass(answers[0]) &&
    answers.every((answer) => answer !== undefined && answer === answers[0]);

  if (answers.every((answer) => answer === undefined))
    return;
  const tr = add(body, "tr", undefined, differs ? "differs" : "");
  const th = add(tr, "th", undefined, "", { scope: "row" });
  putBreakable(th, what);
  if (differs)
    add(th, "span", " \u2260", "", { role: "img", "aria-label": "differs", title: "differs" });
  if (alike) {
    add(tr, "td", answers[0] + (names.length > 2 ? " (all)" : " (both)"), "all",
      { colspan: names.length });
    return;
  }
  names.forEach((name, i) => {
    const detail = text(answerOf(row, name).detail);

    add(tr, "td", answers[i] === undefined ? "-" : answers[i],
      answers[i] === undefined ? "soft" : outcomeClass(answers[i]),
      detail === undefined ? {} : { title: visible(detail) });
  });
}

// Each column is a cell, whose name --attach= takes, and the shorter name that some have.
function addHead(head, cells) {
  const hasMethods = [...cells.values()].some((cell) => text(cell.attach) !== undefined);

  add(head, "td", hasMethods ? "--attach=" : undefined, "soft");
  for (const [name, cell] of cells) {
    const th = add(head, "th", undefined, "", { scope: "col" });
    const attach = text(cell.attach, name);

    putBreakable(add(th, "span"), name);
    if (attach !== name) {
      add(th, "br");
      putBreakable(add(th, "span", undefined, "soft small"), "= " + attach);
    }
  }
}

// Cells that differ only in how the event is opened, and open it by the same call.
function addSameCalls(parent, event) {
  const open = text(event.kind) === "traced" ? "tracefs" : "type";

  if (Number.isInteger(event.same_type))
    add(parent, "p", "pmu+ioctl makes the calls of " + open + "+ioctl, pmu+link those of " + open +
      "+link: its PMU is type " + event.same_type, "soft");
}

function addTable(parent, cells, event, section) {
  const names = [...cells.keys()];

  if (!list(section.rows).length || !names.length)
    return;
  const table = add(addBox(parent, text(section.title, "answers"), true), "table", undefined,
    isAlways(section) ? "rows" : "rows some");
  const head = add(add(table, "thead"), "tr");
  const body = add(table, "tbody");

  table.style.setProperty("--columns", Math.min(4, names.length));
  addHead(head, cells);
  for (const row of list(section.rows))
    addRow(body, names, event, section, object(row));
}

// What is hidden when only what differs is to be seen, unless a row of it differs.
const sectionClass = (event, section) =>
  (isAlways(section) || list(section.rows).some((row) => rowDiffers(event, section, object(row))) ?
    "" : "alike");

// Why @what does not exist or was refused.
function addCause(parent, what, error) {
  const cause = text(object(error).text), reason = text(object(error).reason);

  if (cause === undefined)
    return;
  const p = add(parent, "p", undefined, "small");
  add(p, "strong", what);
  put(p, ": " + cause + " ");
  if (reason !== undefined)
    add(p, "code", reason);
}

// --- times ---

function addTrack(parent, parts) {
  const track = add(parent, "div", undefined, "track", { "aria-hidden": "true" });

  for (const [step, share] of parts)
    add(track, "i", undefined, "k" + step).style.width = Math.min(100, share * 100) + "%";
}

function addBars(parent, names, event, section) {
  const timed = list(section.rows).map(object)
    .filter((row) => names.some((name) => answerOf(row, name).ns >= 0));

  if (!timed.length)
    return;
  parent = add(parent, "div", undefined, sectionClass(event, { id: section.id, rows: timed }));
  add(parent, "h3", "Times and costs");
  add(parent, "p", "Times are medians. Each box has its own scale, from 0 to its longest time. " +
    "Work is what causes the event once.", "soft small");
  const bars = add(parent, "div", undefined, "bars");
  timed.forEach((row, i) => {
    const figure = add(bars, "figure", undefined, rowDiffers(event, section, row) ? "" : "alike");
    const of = names.filter((name) => answerOf(row, name).ns >= 0);
    const longest = Math.max(1, ...of.map((name) => answerOf(row, name).ns));

    add(figure, "figcaption", text(row.what, ""));
    for (const name of of) {
      const bar = add(figure, "div", undefined, "bar");

      add(bar, "span", name);
      addTrack(bar, [[i < STEPS.length ? i : 0, answerOf(row, name).ns / longest]]);
      add(bar, "span", text(answerOf(row, name).answer, ""));
    }
  });
}

// --- system calls ---

const callName = (line) => line.split("(", 1)[0];

// Consecutive calls of one name are one item: "openat x3".
function addCalls(ol, fold) {
  for (let i = 0, run; i < fold.lines.length; i += run) {
    const name = callName(fold.lines[i]);

    for (run = 1; i + run < fold.lines.length && callName(fold.lines[i + run]) === name;)
      run++;
    add(ol, "li", name + (run > 1 ? " x" + run : ""), fold.same ? "" : "own",
      { title: visible(fold.lines[i]) + (fold.same ? "" : " (differs)") });
  }
}

function addLane(parent, name, folds, times, longest) {
  const lane = add(parent, "div", undefined, "lane");

  add(lane, "h4", name);
  const ol = add(lane, "ol", undefined, "calls");
  STEPS.forEach((step, i) => {
    const own = folds.filter((f) => f.step === step && f.cells.includes(name) && f.lines.length);
    const time = text(answerOf(times[i], name).answer);

    if (own.length)
      add(ol, "li", step + (time === undefined ? ":" : " " + time + ":"), "step k" + i);
    own.forEach((fold) => addCalls(ol, fold));
  });
  if (longest)
    addTrack(lane, times.map((row, i) => [i, (answerOf(row, name).ns || 0) / longest]));
}

function addTimeline(parent, names, folds, rows) {
  const times = STEPS.map((step) => rows.find((row) => object(row).id === step + "-time"));
  const longest = Math.max(0, ...names.map((name) =>
    times.reduce((sum, row) => sum + (answerOf(row, name).ns || 0), 0)));

  if (!folds.length)
    return;
  add(parent, "h3", "System calls in order");
  add(parent, "p", "Marked calls (bold) differ between cells. The bar below them is the time of all " +
    "steps, on one scale for all cells.", "soft small");
  const box = add(parent, "div", undefined, "box");
  for (const name of names)
    addLane(box, name, folds, times, longest);
  const details = add(parent, "details");
  add(details, "summary", "The calls with their arguments, folded to the differences");
  const pre = add(details, "pre");
  for (const fold of folds) {
    put(pre, fold.step + ", " + fold.name + (fold.lines.length ? ":" : ": nothing more"));
    pre.append("\n");
    for (const line of fold.lines) {
      put(pre, "  " + line);
      pre.append("\n");
    }
  }
}

function addEvent(parent, value, shown, i) {
  const event = object(value), cells = cellsOf(event), names = [...cells.keys()];
  const program = text(event.program);

  add(parent, "h2", text(event.event, "(no name)"), "", { id: "event-" + (i + 1) });
  add(parent, "p", [text(event.kind), text(event.type), program && "program " + program]
    .filter((word) => word !== undefined).join(", "), "soft");
  addSameCalls(parent, event);
  addTable(add(parent, "div", undefined, sectionClass(event, shown.measured)), cells, event,
    shown.measured);
  for (const [name, cell] of cells)
    addCause(parent, name, cell.error);
  addBars(parent, names, event, shown.measured);
  addTimeline(parent, names, shown.calls, shown.measured.rows);
  for (const section of list(event.sections).map(object)) {
    if (!list(section.rows).length)
      continue;
    const div = add(parent, "div", undefined, sectionClass(event, section));
    add(div, "h3", text(section.title, ""));
    addTable(div, cells, event, section);
  }
}

// --- the whole document ---

function addTop(parent, doc) {
  const kernel = object(doc.kernel), path = text(object(doc.object).path);
  const words = ["Linux " + text(kernel.release, "(unknown)") + " " + text(kernel.machine, "")];

  if (Number.isInteger(doc.cpus))
    words.push(doc.cpus + (doc.cpus === 1 ? " CPU" : " CPUs"));
  if (Number.isInteger(doc.rounds) && doc.rounds)
    words.push("medians of " + doc.rounds + " rounds" + data.rounds_note);
  if (doc.privileged !== true)
    words.push("not privileged");
  if (doc.interrupted === true)
    words.push("interrupted");
  if (path !== undefined)
    words.push("program of " + path);
  add(parent, "h1", "Attach methods, side by side");
  const verdict = list(doc.verdict).filter((line) => typeof line === "string");
  if (verdict.length) {
    const answer = add(parent, "div", undefined, "verdict");

    for (const line of verdict)
      add(answer, "p", line);
  }
  add(parent, "p", words.join(", "), "soft");
  if (doc.scale && !list(doc.events).length)
    return;
  const p = add(parent, "p", data.counts + ". ");
  if (data.differences.length)
    add(p, "a", "Differences and explanations", "", { href: "#differences" });
  addSwitch(parent);
}

// The page begins with what differs; the rest is a click away.
function addSwitch(parent) {
  const label = add(parent, "label", undefined, "switch");
  const box = add(label, "input", undefined, "", { type: "checkbox", id: "only" });
  const show = () => document.body.classList.toggle("only", box.checked);

  put(label, " Only what differs");
  box.checked = data.differences.length > 0;
  box.addEventListener("change", show);
  show();
}

function addOverview(parent, events) {
  const table = add(addBox(parent, "outcome of each event"), "table", undefined, "events");
  const body = add(table, "tbody");

  events.forEach((event, i) => {
    const tr = add(body, "tr");
    const th = add(tr, "th", undefined, "", { scope: "row" });

    add(th, "a", text(object(event).event, "(no name)"), "", { href: "#event-" + (i + 1) });
    for (const [name, cell] of cellsOf(event)) {
      const outcome = text(cell.outcome, "-"), td = add(tr, "td");

      add(td, "span", outcome, outcomeClass(outcome));
      add(td, "br");
      putBreakable(add(td, "span", undefined, "soft small"), name);
    }
  });
}

// Changes that are the same for several cells are one row.
function addAgainst(parent, against) {
  const rows = new Map();

  add(parent, "h2", "Changed since Linux " + text(object(against.kernel).release, "(unknown)"), "",
    { id: "changes" });
  add(parent, "p", list(against.changes).length ?
    "Times are listed when they are twice as long or half as long, or more." :
    "Nothing, apart from times that differ by less than a factor of two.", "soft small");
  for (const change of list(against.changes).map(object)) {
    const key = JSON.stringify([change.event, change.section, change.row, change.then, change.now]);

    if (!rows.has(key))
      rows.set(key, { change, cells: [] });
    rows.get(key).cells.push(text(change.cell, "-"));
  }
  if (rows.size) {
    const table = add(addBox(parent, "changes"), "table");
    const head = add(add(table, "thead"), "tr"), body = add(table, "tbody");

    for (const title of ["event", "what", "cell", "then", "now", ""])
      add(head, "th", title, "", { scope: "col" });
    for (const { change, cells } of rows.values()) {
      const tr = add(body, "tr");

      for (const string of [text(change.event, "-"), text(change.what, "-"), cells.join(", "),
        text(change.then, "-"), text(change.now, "-"), change.time === true ? "a time" : ""])
        add(tr, "td", string, "wraps");
    }
  }
  for (const when of ["then", "now"])
    for (const name of list(against["only_" + when]))
      add(parent, "p", "Measured " + when + " only: " + text(name, "-"), "small");
}

function addLeftOut(parent, leftOut) {
  if (leftOut.length)
    add(parent, "h2", "Left out");
  for (const entry of leftOut.map(object))
    addCause(parent, text(entry.event, "(no name)"), entry.error);
}

function addDifferences(parent) {
  if (data.differences.length)
    add(parent, "h2", "Differences", "", { id: "differences" });
  for (const { code, text: sentence, lines } of data.differences) {
    const div = add(parent, "div", undefined, code ? "why" : "why none");
    const p = add(div, "p");

    if (code) {
      putProse(p, sentence + " ");
      add(p, "a", "Why", "", { href: "#" + reasonId(code) });
    } else {
      add(p, "strong", "Unexplained: ");
      put(p, "no explanation fits these answers.");
    }
    const ul = add(div, "ul");
    for (const line of lines)
      add(ul, "li", line);
  }
}

function addChapters(parent) {
  if (data.chapters.length)
    add(parent, "h2", "Why");
  for (const { code, chapter, means, from, check, remedy } of data.chapters) {
    putProse(add(parent, "h3", undefined, "", { id: reasonId(code) }), means);
    const dl = add(parent, "dl");

    for (const [title, string] of [["Where it comes from", from], ["How to check it", check],
      ["What to do", remedy], ["More", "`" + chapter + "`, `pload explain " + code + "`"]]) {
      add(dl, "dt", title);
      putProse(add(dl, "dd"), string);
    }
  }
}

function render(parent) {
  const doc = object(data.document), events = list(doc.events);

  addTop(parent, doc);
  if (events.length > 1)
    addOverview(parent, events);
  if (doc.against && typeof doc.against === "object")
    addAgainst(parent, doc.against);
  if (doc.scale && typeof doc.scale === "object")
    addScale(parent, doc.scale);
  events.forEach((event, i) => addEvent(parent, event, data.events[i], i));
  addLeftOut(parent, list(doc.left_out));
  addDifferences(parent);
  addChapters(parent);
}

render(document.getElementById("page"));
// The anchors did not exist when the browser looked for the fragment of the address.
if (location.hash.length > 1)
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
document.documentElement.dataset.drawn = "";
