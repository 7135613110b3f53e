/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
// The lists of the page are drawn in pieces when they come near the screen. Each row has keys; rows with a key in common belong
// together: an instruction, its bytes, its relocation, the symbol, the map and the type of that.
const messages = JSON.parse(document.getElementById("data").textContent);
const PIECE = 200;
const lists = [];
const byKey = new Map();
let picked = null, matches = [], match = -1;

const hex = (n, width = 0) => n.toString(16).padStart(width, "0");
const spaced = (bytes) => bytes.replace(/..(?=.)/g, "$& ");
const number = (n) => (n === undefined || n === null ? "" : String(n));

function element(tag, text, className) {
  const e = document.createElement(tag);
  if (text !== undefined) e.textContent = visibleLines(text);
  if (className) e.className = className;
  return e;
}

class List {
  constructor(id, title) {
    this.id = id;
    this.title = title;
    this.rows = [];
    this.pieces = [];
  }
  add(text, keys = [], kind = "") {
    const row = { text: visibleLines(text), keys, kind, list: this, index: this.rows.length };
    this.rows.push(row);
    for (const key of keys) {
      if (!byKey.has(key)) byKey.set(key, []);
      byKey.get(key).push(row);
    }
    return row;
  }
  draw(main, part) {
    if (!this.rows.length) return;
    const h = element("h2", `${part} ${this.title}`);
    h.id = this.id;
    main.append(h);
    const box = element("div", undefined, "rows");
    for (let i = 0; i < this.rows.length; i += PIECE) {
      const piece = element("div", undefined, "chunk");
      const n = Math.min(PIECE, this.rows.length - i);
      piece.style.minHeight = n * 19 + "px";
      piece.dataset.from = i;
      this.pieces.push(piece);
      piece.list = this;
      watcher.observe(piece);
      box.append(piece);
    }
    main.append(box);
  }
  fill(p) {
    const piece = this.pieces[p];
    if (piece.filled) return;
    piece.filled = true;
    piece.style.minHeight = "";
    watcher.unobserve(piece);
    for (const row of this.rows.slice(p * PIECE, (p + 1) * PIECE)) {
      row.element = element("div", undefined, "row " + row.kind);
      row.element.textContent = row.text || " ";
      row.element.row = row;
      piece.append(row.element);
    }
  }
  show(row) {
    this.fill(Math.floor(row.index / PIECE));
    row.element.scrollIntoView({ block: "center" });
  }
}

const watcher = new IntersectionObserver((entries) => {
  for (const e of entries)
    if (e.isIntersecting) e.target.list.fill(e.target.dataset.from / PIECE);
  document.documentElement.dataset.drawn = "";
}, { rootMargin: "1200px" });

// --- the lists ---

const insns = new List("programs", "Programs");
const types = new List("types", "Types");
const bytes = new List("bytes", "Bytes");
const sections = new List("sections", "Sections");
const symbols = new List("symbols", "Symbols");
const relocs = new List("relocations", "Relocations");
lists.push(insns, types, sections, symbols, relocs, bytes);
const facts = [];

const relocKey = (section, index) => `r:${section}[${index}]`;
const typesIn = (text) => [...text.matchAll(/\b(?:struct|union|enum) (?:')?(\w+)/g)].map((m) => "t:" + m[1]);
let open = null;

const draw = {
  "inspect-file"(m) {
    document.title = document.getElementById("title").textContent = visibleLines(m.file);
    document.getElementById("file").textContent = visibleLines([`${m.size} bytes`, m.byte_order && m.byte_order + "-endian",
      m.compiler && "compiled by " + m.compiler, m.license && `license "${m.license}"`, `${m.sections} sections`,
      `${m.symbols} symbols`, `${m.types} types`].filter(Boolean).join(", "));
  },
  "inspect-program"(m) {
    facts.push(["program " + m.name, [`section "${m.section}", ${m.prog_type ?? "unknown type"}: ${m.decided_by}`,
      m.attaches_to && "attaches to " + m.attaches_to, `${m.instructions} instructions`,
      m.helpers.length && "calls " + m.helpers.join(", "), m.maps.length && "maps " + m.maps.join(", "),
      m.externs.length && "externs " + m.externs.join(", "), m.subprograms.length && "functions " + m.subprograms.join(", "),
      !m.followed && "and more: the programs of this file share more code than is followed and checked"]]);
  },
  "inspect-map"(m) {
    const type = (text) => text ? ` (${text})` : "";
    facts.push(["map " + m.name, [m.map_type, `${m.max_entries} element${m.max_entries === 1 ? "" : "s"}`,
      `key ${m.key_size} bytes${type(m.key)}`, `value ${m.value_size} bytes${type(m.value)}`, m.read_only && "read-only", m.pinned && "pinned"]]);
  },
  "inspect-variable"(m) {
    facts.push(["variable " + (m.declaration ?? m.name), [`in ${m.section} at ${m.offset}, ${m.size} bytes`]]);
  },
  "inspect-extern"(m) {
    facts.push(["extern " + (m.declaration ?? m.name), [m.kind, m.weak && "weak"]]);
  },
  "inspect-refusal"(m) {
    facts.push(["this kernel refuses", [`program ${m.program}: ${m.what}`, m.reason && `[${m.reason}]`]]);
  },
  "inspect-error"(m) {
    facts.unshift(["damaged" + (m.offset === null ? "" : ` at 0x${hex(m.offset)}`), [`${m.where}: ${m.what}`]]);
  },
  "inspect-section"(m) {
    sections.add(`${String(m.index).padStart(4)} ${m.name.padEnd(24)} ${m.section_type.padEnd(12)} ${m.flags.padEnd(5)} offset ${hex(m.offset)} size ${hex(m.size)} link ${m.link} info ${m.info}`,
      ["sec:" + m.name, "o:" + m.header_offset]);
  },
  "inspect-symbol"(m) {
    symbols.add(`${String(m.index).padStart(4)} ${m.name.padEnd(24)} ${m.symbol_type.padEnd(8)} ${m.bind.padEnd(7)} ${m.section.padEnd(20)} value ${hex(m.value)} size ${hex(m.size)}`,
      ["s:" + m.name, "sec:" + m.section, "o:" + m.offset].filter((k) => k !== "s:"));
  },
  "inspect-relocation"(m) {
    relocs.add(`${m.section}[${m.index}] at ${hex(m.at)} of ${m.target}: ${m.relocation_type} ${m.symbol}, S 0x${hex(m.S)}, A ${m.A ?? "in the field"}`,
      [relocKey(m.section, m.index), "s:" + m.symbol, "sec:" + m.section]);
  },
  "inspect-record"(m) {
    const keys = ["o:" + m.offset], section = /^section \[\d+\] '(.*)'$/.exec(m.name), reloc = /^(\..*)\[(\d+)\]$/.exec(m.name);
    if (section) keys.push("sec:" + section[1]);
    if (reloc) keys.push(relocKey(reloc[1], reloc[2]));
    bytes.add(`${hex(m.offset, 8)} ${m.name}, ${m.size} bytes`, keys, "head");
    open = "o:" + m.offset;
  },
  "inspect-field"(m) {
    bytes.add(`${hex(m.offset, 8)}  ${spaced(m.bytes).padEnd(48)} ${m.field.padEnd(18)} ${m.value === null ? "" : "0x" + hex(BigInt(m.value))} ${m.meaning ?? ""}`,
      open ? [open] : []);
  },
  "inspect-listing"(m) {
    insns.add(`program ${m.program}, section "${m.section}", ${m.prog_type ?? "unknown type"}, ${m.instructions} instructions`, ["sec:" + m.section], "head");
    for (const k of m.kernels) insns.add(`linked for ${k.kernel}${k.refused ? ": refused: " + k.refused : ""}`, [], k.refused ? "bad" : "more");
  },
  "inspect-function"(m) {
    insns.add(`${m.name}: in section "${m.section}"`, ["s:" + m.name, "sec:" + m.section], "head");
  },
  "inspect-insn"(m) {
    const keys = ["o:" + m.offset], r = m.relocation, c = m.core;
    if (r) keys.push(relocKey(r.section, r.index), "s:" + r.symbol);
    if (m.refers_to) keys.push("s:" + m.refers_to.name);
    if (c?.access) keys.push(...typesIn(c.access));
    if (m.source) insns.add(`; ${m.source.text}   @ ${m.source.file}:${m.source.line}`, [`l:${m.source.file}:${m.source.line}`], "c");
    insns.add(`${String(m.index).padStart(5)}: ${spaced(m.bytes.slice(0, 16))}  (${m.bytes.slice(0, 2)}) ${m.text}`, keys);
    if (m.linked) insns.add(`linked: ${spaced(m.linked)}  ${m.pseudo ?? ""} was: ${m.text_in_file}`, keys, "more");
    if (r) insns.add(`${r.section}[${r.index}] ${r.type} ${r.symbol}: S 0x${hex(r.S)}, A ${r.A}`, keys, "more");
    if (c) insns.add(`CO-RE ${c.kind} of ${c.access ?? "?"}: ${number(c.in_file)} in the file`, keys, "more");
    for (const k of c?.kernels ?? [])
      insns.add(`${k.kernel}: ${k.poisoned ? "poisoned: " + k.why : k.value ?? "not known: " + k.why}`, keys, k.poisoned ? "bad" : "more");
    for (const k of m.otherwise ?? []) insns.add(`${spaced(k.linked)}  ${k.text}   for ${k.kernel}`, keys, "more");
    for (const v of m.visits ?? []) insns.add(`visit ${v.visit}: ${v.state}`, keys, v.fails ? "bad" : "more");
  },
  "inspect-type"(m) {
    const defined = /^(?:struct|union|enum) (\w+) \{/.exec(m.c), name = defined ? ["t:" + defined[1]] : [];
    for (const line of m.c.trimEnd().split("\n")) types.add(line, line ? [...new Set([...name, ...typesIn(line)])] : [], "text");
    types.add("", [], "text");
  },
  "inspect-log"(m) {
    facts.unshift(["the verifier's log", [m.fails_at === null ? "accepted" : `fails at ${m.fails_at}: ${m.verdict}`, m.reason,
      m.causal_path, m.suggestion, `${m.lines} lines, ${m.visits} visits`]]);
  },
  "inspect-log-step"(m) {
    facts.push(["path", [`${m.index}: ${m.text}`]]);
  },
};

for (const m of messages) draw[m.type]?.(m);

// --- the page ---

const main = document.getElementById("main"), nav = document.getElementById("parts");
const overview = element("ul", undefined, "facts");
for (const [name, texts] of facts) {
  const li = element("li");
  li.append(element("b", name), document.createTextNode(" " + visibleLines(texts.filter(Boolean).join("; "))));
  overview.append(li);
}
const heading = element("h2", "1 Overview");
heading.id = "overview";
main.append(heading, overview);
const parts = ["overview"];
for (const list of lists)
  if (list.rows.length) {
    parts.push(list.id);
    list.draw(main, parts.length);
  }
for (const [i, id] of parts.entries()) {
  const a = element("a", `${i + 1} ${id}`);
  a.href = "#" + id;
  nav.append(a);
}

function related(row) {
  const rows = new Set();
  for (const key of row.keys) for (const other of byKey.get(key)) rows.add(other);
  return rows;
}

let marked = [];
function mark(row, className) {
  for (const e of marked) e.classList.remove("same");
  marked = [];
  for (const other of row ? related(row) : [])
    if (other.element) {
      other.element.classList.add(className);
      marked.push(other.element);
    }
}

function pick(row, scroll) {
  const links = document.getElementById("links");
  picked?.element?.classList.remove("picked");
  picked = row;
  mark(row, "same");
  links.hidden = !row;
  history.replaceState(null, "", row ? `#${row.list.id}.${row.index}` : "#");
  if (!row) return;
  if (scroll) row.list.show(row);
  row.element.classList.add("picked");
  const ul = element("ul"), seen = new Map();
  for (const other of related(row)) {
    const n = (seen.get(other.list) ?? 0) + 1;
    seen.set(other.list, n);
    if (other === row || n > 12) continue;
    const button = element("button", `${other.list.title}: ${other.text.trim()}`);
    button.addEventListener("click", () => pick(other, true));
    const li = element("li");
    li.append(button);
    ul.append(li);
  }
  links.replaceChildren(element("b", row.text.trim()), ul);
}

main.addEventListener("mouseover", (e) => mark(e.target.closest(".row")?.row ?? picked, "same"));
main.addEventListener("click", (e) => {
  const row = e.target.closest(".row")?.row;
  if (row && !String(getSelection())) pick(row, false);
});

// --- search and keys ---

const input = document.getElementById("search"), found = document.getElementById("found");
function search() {
  const text = input.value.toLowerCase();
  matches = [];
  match = -1;
  if (text)
    for (const list of lists) for (const row of list.rows) if (row.text.toLowerCase().includes(text)) matches.push(row);
  found.textContent = text ? `${matches.length} matches` : "";
}
function next(step) {
  if (!matches.length) return;
  match = (match + step + matches.length) % matches.length;
  found.textContent = `${match + 1} of ${matches.length}`;
  pick(matches[match], true);
}
input.addEventListener("input", search);
input.addEventListener("keydown", (e) => {
  if (e.key === "Enter") next(e.shiftKey ? -1 : 1);
  if (e.key === "Escape") input.blur();
});
function move(step) {
  const list = picked?.list ?? lists.find((l) => l.rows.length);
  const row = list?.rows[picked ? picked.index + step : 0];
  if (row) pick(row, true);
}
document.addEventListener("keydown", (e) => {
  if (e.target === input || e.ctrlKey || e.metaKey || e.altKey) return;
  const keys = {
    j: () => move(1), k: () => move(-1), n: () => next(1), N: () => next(-1),
    "/": () => input.focus(),
    Escape: () => pick(null),
    Enter: () => { if (e.target.tagName !== "BUTTON" && e.target.tagName !== "A") document.querySelector("aside button")?.click(); else return true; },
  };
  if (/^[1-9]$/.test(e.key) && parts[e.key - 1]) location.hash = parts[e.key - 1];
  else if (!keys[e.key] || keys[e.key]()) return;
  e.preventDefault();
});

// A link to a row: #programs.12
const [, list, index] = /^#(\w+)\.(\d+)$/.exec(location.hash) ?? [];
const row = lists.find((l) => l.id === list)?.rows[index];
if (row) pick(row, true);
