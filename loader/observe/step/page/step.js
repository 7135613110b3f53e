/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
const recordings = JSON.parse(document.getElementById("data").textContent);
const get = (id) => document.getElementById(id);
const LAYERS = { process: 0, pin: 0, object: 1, link: 1, event: 2, prog: 2, map: 3, btf: 4 };
const NARROW = 560;
let method = 0, step = 0, found = "";

const make = (tag, text, name) => {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = visibleLines(text);
  if (name) element.className = name;
  return element;
};
// Words between backticks are code.
const prose = (tag, text, name) => {
  const element = make(tag, undefined, name);
  text.split("`").forEach((part, i) => element.append(i % 2 ? make("code", part) : visible(part)));
  return element;
};
const draw = (tag, attributes, text) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = visibleLines(text);
  return element;
};
const steps = () => recordings.methods[method].steps;

/* --- the call --- */

function showCall(call) {
  const box = get("call");
  box.replaceChildren(make("p", call.stage, "stage"), make("p", call.why || "", "why"));
  box.append(make("pre", call.text, call.errno ? "wrap bad" : "wrap"));
  if (call.folded) box.append(make("p", "and " + call.folded + " more calls that read files", "folded"));
}

function flatten(value, list) {
  for (const [name, member] of Object.entries(value)) {
    if (member && typeof member === "object" && !Array.isArray(member)) flatten(member, list);
    else list.push([name, Array.isArray(member) ? member.join(", ") : String(member)]);
  }
  return list;
}

function attributes(call) {
  const list = call.args.filter((arg) => arg && typeof arg === "object" && !Array.isArray(arg))
    .flatMap((arg) => flatten(arg, []));
  if (!list.length) return [];
  const table = make("dl");
  for (const [name, value] of list) table.append(make("dt", name), make("dd", value));
  return [make("h3", "Attributes"), table];
}

function instructions(call) {
  if (!call.insns) return [];
  const box = make("pre");
  call.insns.forEach(([bytes, text, line], i) => {
    if (line) box.append(make("span", "       ; " + line + "\n", "c"));
    if (text) box.append(String(i).padStart(5) + ": " + bytes + "  " + visible(text) + "\n");
    else box.append("       " + bytes + "\n");
  });
  return [make("h3", "Instructions, as they are passed"), box];
}

function source(call) {
  if (!call.file) return [];
  const place = call.function + "() in " + call.file + ":" + call.line;
  const found = recordings.sources.find((s) => s.file === call.file && s.first <= call.line && call.line <= s.last);
  if (!found) return [make("h3", "Made by " + place)];
  const box = make("pre");
  found.text.split("\n").slice(0, -1).forEach((line, i) => {
    const number = found.first + i, text = String(number).padStart(5) + "  " + line.replaceAll("\t", "    ");
    box.append(number === call.line ? make("span", text, "at") : text + "\n");
  });
  return [make("h3", "Made by " + place), box];
}

function showDetail(call) {
  const parts = [];
  if (call.notes.length) {
    parts.push(make("h3", "Before this call, without a call"));
    parts.push(make("pre", call.notes.join("\n"), "wrap"));
  }
  for (const name of ["key", "value"])
    if (call[name]) parts.push(make("h3", "The " + name + ", as bytes"), make("pre", call[name], "wrap"));
  get("detail").replaceChildren(...parts, ...instructions(call), ...attributes(call), ...source(call));
}

/* --- the graph: a layer for each kind, from the holders to what they hold --- */

function place(nodes, width) {
  const places = new Map(), box = width < NARROW ? 112 : 164, gap = 14;
  const inRow = Math.max(1, Math.floor((width - gap) / (box + gap)));
  let y = 8;
  for (let layer = 0; layer <= 4; layer++) {
    const list = nodes.filter((node) => LAYERS[node.kind] === layer);
    for (let i = 0; i < list.length; i += inRow) {
      const row = list.slice(i, i + inRow), x0 = (width - row.length * (box + gap) + gap) / 2;
      row.forEach((node, k) => places.set(node.id, { x: x0 + k * (box + gap), y, w: box, h: 40 }));
      y += 58;
    }
    if (list.length) y += 26;
  }
  return { places, height: y };
}

// From the bottom of a box to the top of another one below it: around the rows between them.
function route(a, b, places, width, lane) {
  const x1 = a.x + a.w / 2, y1 = a.y + a.h, x2 = b.x + b.w / 2, level = a.y === b.y;
  const y2 = level ? b.y + b.h : b.y, bend = level ? 22 : (y2 - y1) / 2;
  const between = [...places.values()].filter((p) => p.y > a.y && p.y < b.y);
  if (!between.length)
    return `M${x1} ${y1} C${x1} ${y1 + bend} ${x2} ${level ? y2 + bend : y2 - bend} ${x2} ${y2}`;
  const left = Math.min(...between.map((p) => p.x)), right = Math.max(...between.map((p) => p.x + p.w));
  const side = x1 + x2 < left + right ? Math.max(3, left - 8 - lane) : Math.min(width - 3, right + 8 + lane);
  const top = between[0].y, bottom = Math.max(...between.map((p) => p.y + p.h));
  return `M${x1} ${y1} C${x1} ${top} ${side} ${y1} ${side} ${top} L${side} ${bottom} C${side} ${y2} ${x2} ${bottom} ${x2} ${y2}`;
}

const cut = (text, n) => text.length > n ? text.slice(0, n - 1) + "…" : text;

function drawGraph(holders) {
  const width = Math.max(320, get("graph").clientWidth), { places, height } = place(holders.nodes, width);
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "presentation" });
  for (const node of holders.nodes) {
    const p = places.get(node.id);
    svg.append(draw("rect", { x: p.x, y: p.y, width: p.w, height: p.h, rx: 6, class: node.new ? "new" : "" }));
  }
  holders.edges.forEach((edge, i) => {
    const a = places.get(edge.from), b = places.get(edge.to);
    if (a && b) svg.append(draw("path", { d: route(a, b, places, width, i % 5 * 4), class: edge.new ? "new" : "" }));
  });
  for (const node of holders.nodes) {
    const p = places.get(node.id), group = draw("g", { class: node.new ? "new" : "" });
    const by = holders.edges.filter((edge) => edge.to === node.id && edge.how.startsWith("fd ")).map((edge) => edge.how);
    const name = node.name.startsWith(node.kind + " ") ? node.name.slice(node.kind.length + 1) : node.name;
    group.append(draw("text", { x: p.x + p.w / 2, y: p.y + 14, class: "kind" },
        cut((node.new ? "+ " : "") + node.kind + (by.length ? " · " + by.join(", ") : ""), p.w / 6.6)),
      draw("text", { x: p.x + p.w / 2, y: p.y + 31 }, cut(name, p.w / 7.4)), draw("title", {}, node.name));
    svg.append(group);
  }
  get("graph").replaceChildren(svg);
  get("graph").setAttribute("aria-label", holders.edges.length + " references; the list follows");
}

function showHolders(holders) {
  const name = new Map(holders.nodes.map((node) => [node.id, node.name]));
  drawGraph(holders);
  get("edges").replaceChildren(
    ...holders.ended.map((text) => make("li", "− " + text + " ends", "ended")),
    ...holders.edges.map((edge) => make("li", (edge.new ? "+ " : "  ") + name.get(edge.from) + " — " + edge.how + " → " + name.get(edge.to),
      edge.new ? "new" : "")));
}

/* --- the end, and the methods --- */

function showEnd() {
  const r = recordings.methods[method], box = get("end"), last = step + 1 === (r.failed || r.steps.length);
  box.replaceChildren();
  if (r.refused && last) {
    box.append(make("h2", "Refused: " + r.refused.what, "bad"), prose("p", r.refused.hint));
    for (const part of ["means", "from", "check", "remedy"])
      if (r.refused[part]) box.append(make("h3", part), prose("p", r.refused[part]));
  }
  if (r.printed && last) box.append(make("h2", "The output of the session"), make("pre", r.printed));
}

function showMethods() {
  const rows = recordings.rows;
  if (!rows) return;
  get("compare").hidden = false;
  const head = make("tr");
  recordings.methods.forEach((r, i) => {
    const button = make("button", r.method);
    button.type = "button";
    button.onclick = () => go(i, 0);
    get("methods").append(button);
    head.append(make("th", r.method));
  });
  get("rows").append(head);
  for (const row of rows) {
    const line = make("tr", undefined, row.differs ? "differs" : "");
    row.steps.forEach((number, i) => {
      const cell = make("td");
      if (number) {
        const button = make("button", (row.differs ? "≠ " : "") + number + " " + row.names[i]);
        button.type = "button";
        button.onclick = () => go(i, number - 1);
        cell.append(button);
      }
      line.append(cell);
    });
    get("rows").append(line);
  }
}

/* --- going --- */

function show() {
  const call = steps()[step];
  get("title").textContent = "pload step: " + recordings.object + ", by " + recordings.methods[method].method;
  get("slider").max = steps().length;
  get("slider").value = step + 1;
  get("number").textContent = (step + 1) + " of " + steps().length;
  const failed = recordings.methods[method].failed;
  get("failed").hidden = !failed || step + 1 === failed;
  get("failed").href = "#" + recordings.methods[method].method + "-" + failed;
  get("failed").textContent = "Step " + failed + " is refused";
  [...get("methods").children].forEach((b, i) => b.setAttribute("aria-pressed", i === method));
  showCall(call);
  showHolders(call.holders);
  showDetail(call);
  showEnd();
}

function go(toMethod, toStep) {
  method = toMethod;
  step = Math.max(0, Math.min(steps().length - 1, toStep));
  history.replaceState(null, "", "#" + recordings.methods[method].method + "-" + (step + 1));
  show();
}

function readAddress() {
  const [, name, number] = /^#([a-z]+)-(\d+)$/.exec(location.hash) || [];
  const index = recordings.methods.findIndex((r) => r.method === name);
  const to = index < 0 ? 0 : index;
  go(to, (number || recordings.methods[to].failed || 1) - 1);
}

function search(text) {
  found = text.toLowerCase();
  for (let n = 1; found && n <= steps().length; n++) {
    const at = (step + n) % steps().length;
    if (JSON.stringify({ ...steps()[at], holders: 0 }).toLowerCase().includes(found)) return go(method, at);
  }
}

get("back").onclick = () => go(method, step - 1);
get("next").onclick = () => go(method, step + 1);
get("slider").oninput = (event) => go(method, event.target.value - 1);
get("search").onkeydown = (event) => { if (event.key === "Enter") search(event.target.value); };
addEventListener("hashchange", readAddress);
addEventListener("resize", () => drawGraph(steps()[step].holders));
addEventListener("keydown", (event) => {
  if (event.target.id === "search" || event.ctrlKey || event.metaKey || event.altKey) return;
  const keys = { ArrowRight: step + 1, ArrowLeft: step - 1, Home: 0, End: steps().length - 1 };
  if (event.key in keys) { event.preventDefault(); go(method, keys[event.key]); }
  else if (event.key === "/") { event.preventDefault(); get("search").focus(); }
  else if (event.key === "n") search(found);
});
showMethods();
readAddress();
document.documentElement.dataset.drawn = "";
