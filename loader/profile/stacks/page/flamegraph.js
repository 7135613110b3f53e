// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Draws the profile that this page carries as a flame graph. flamegraph.c describes the data.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const ROW = 18, FUNCTIONS = 30, SEARCH_MAX = 4096;

// --- the tree: arrays with an entry for each node; node 0 is the root ---

const depths = [0], frames = [-1], totals = [0], parents = [-1], children = [[]];

function readNodes() {
  const path = [0], numbers = data.nodes;

  for (let i = 0; i < numbers.length; i += 3) {
    const depth = numbers[i], node = depths.length;

    depths.push(depth);
    frames.push(numbers[i + 1]);
    totals.push(numbers[i + 2]);
    parents.push(path[depth - 1]);
    children.push([]);
    children[path[depth - 1]].push(node);
    path[depth] = node;
  }
  for (let node = depths.length - 1; node > 0; node--)
    totals[parents[node]] += totals[node];
  // Siblings by name, so that two graphs of one program look alike.
  for (const list of children)
    list.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0));
}

const nameOf = (node) => (node ? data.frames[frames[node]][0] : "all");
const fileOf = (node) => (node ? data.frames[frames[node]][1] : null);
const doubtOf = (node) => (node ? data.frames[frames[node]][2] : undefined);
const share = (weight) => (totals[0] ? (100 * weight / totals[0]).toFixed(2) : "0.00") + "%";

function within(node, ancestor) {
  while (depths[node] > depths[ancestor])
    node = parents[node];
  return node === ancestor;
}

function describe(node) {
  const file = fileOf(node), doubt = doubtOf(node);

  const part = zoomed && within(node, zoomed) && node !== zoomed ?
    ", " + (100 * totals[node] / totals[zoomed]).toFixed(2) + "% of " + visible(nameOf(zoomed)) : "";

  return visible(nameOf(node)) + (file ? " (" + visible(file) + ")" : "") + ": " + totals[node] +
    " " + data.unit + ", " + share(totals[node]) + part + (doubt ? "; in doubt: " + visible(doubt) : "");
}

// --- drawing ---

const graph = byId("graph"), detail = byId("detail"), search = byId("search");
let zoomed = 0, turned = false, focused = 0, wanted = null, sorted = "self";
let boxes = new Map();

function kindOf(node) {
  const file = fileOf(node);

  if (!file)
    return node && nameOf(node) === "[unknown]" ? "" : "label";
  if (file[0] === "[" && file !== "[vdso]" && file !== "[unknown]")
    return "kernel";
  let hash = 0;
  for (const c of nameOf(node))
    hash = (hash * 31 + c.charCodeAt(0)) >>> 0;
  return "k" + hash % 4;
}

const isFound = (node) => node && wanted?.test(nameOf(node));

// A regular expression; what is none, such as "operator()(", is looked for as it is.
function pattern(string) {
  if (!string)
    return null;
  try {
    return new RegExp(string, "i");
  } catch {
    return new RegExp(string.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i");
  }
}

// Boxes in the order of the tree: those around @zoomed at full width, then what is in it.
function layout() {
  const list = [], width = graph.clientWidth || 1, path = [];

  for (let node = zoomed; node >= 0; node = parents[node])
    path.unshift(node);
  for (const node of path)
    list.push({ node, left: 0, width: 1, above: node !== zoomed });
  for (const todo = [{ node: zoomed, left: 0, width: 1 }]; todo.length;) {
    const { node, left, width: room } = todo.pop();
    let at = left;

    for (const child of children[node]) {
      const part = totals[node] ? room * totals[child] / totals[node] : 0;

      // Narrower than a pixel: nobody sees it, and hundreds of thousands would be slow.
      if (part * width >= 1) {
        list.push({ node: child, left: at, width: part, above: false });
        todo.push({ node: child, left: at, width: part });
      }
      at += part;
    }
  }
  return list;
}

function draw() {
  const list = layout(), fragment = document.createDocumentFragment();
  const rows = 1 + list.reduce((most, { node }) => Math.max(most, depths[node]), 0);

  boxes = new Map();
  for (const { node, left, width, above } of list) {
    const box = document.createElement("div"), at = depths[node] * ROW;

    box.className = "frame " + kindOf(node) + (above ? " above" : "") +
      (doubtOf(node) ? " doubt" : "") + (isFound(node) ? " found" : "");
    box.textContent = visible(nameOf(node));
    box.title = describe(node);
    box.dataset.node = node;
    box.tabIndex = -1;
    box.setAttribute("role", "treeitem");
    box.setAttribute("aria-level", depths[node] + 1);
    box.setAttribute("aria-label", describe(node));
    box.style.cssText = "left:" + left * 100 + "%;width:" + width * 100 + "%;top:" +
      (turned ? at : (rows - 1) * ROW - at) + "px";
    fragment.append(box);
    boxes.set(node, box);
  }
  graph.style.height = rows * ROW + "px";
  graph.replaceChildren(fragment);
  boxes.get(boxes.has(focused) ? focused : (focused = zoomed)).tabIndex = 0;
}

function zoom(node) {
  zoomed = focused = node;
  draw();
  detail.textContent = describe(node);
  save();
}

// How much of all is within functions that match; one in another is counted once.
function find() {
  let sum = 0, outer = -1;

  wanted = pattern(search.value.trim());
  for (let node = 1; wanted && node < depths.length; node++) {
    if (outer > 0 && depths[node] > depths[outer])
      continue;
    outer = isFound(node) ? node : -1;
    sum += outer > 0 ? totals[node] : 0;
  }
  byId("found").textContent = wanted ? (sum ? share(sum) + " matches" : "no match") : "";
  draw();
  save();
}

function turn(callersFirst) {
  turned = callersFirst;
  byId("turn").setAttribute("aria-pressed", turned);
  draw();
  save();
}

// --- the state, which the URL keeps: #node=12&search=read&sort=total&turned=1 ---

function save() {
  const state = new URLSearchParams();

  if (zoomed)
    state.set("node", zoomed);
  if (search.value)
    state.set("search", search.value);
  if (sorted !== "self")
    state.set("sort", sorted);
  if (turned)
    state.set("turned", 1);
  try {
    history.replaceState(null, "", "#" + state);
  } catch {
    // A frame of another page has no URL of its own, and a browser may limit how often it is changed.
  }
}

// A link may come from anybody, and an expression such as (a|a)*b takes for ever. One like this does not.
const isQuick = (string) => !/[({?]|[*+][^]*[*+]/.test(string.replace(/\\[^]/g, ""));

// Parts of a URL that are not of this page are left out.
function restore() {
  const state = new URLSearchParams(location.hash.slice(1)), node = state.get("node") ?? "";

  zoomed = focused = /^\d{1,9}$/.test(node) && Number(node) < depths.length ? Number(node) : 0;
  search.value = (state.get("search") ?? "").slice(0, SEARCH_MAX);
  turned = state.get("turned") === "1";
  byId("turn").setAttribute("aria-pressed", turned);
  putFunctions(Object.hasOwn(orders, state.get("sort") ?? "") ? state.get("sort") : "self");
  if (isQuick(search.value)) {
    find();
  } else {
    wanted = null;
    draw();
    byId("found").textContent = "Enter searches for it";
  }
  if (zoomed)
    detail.textContent = describe(zoomed);
}

// --- keyboard and mouse ---

const focus = (node) => boxes.get(node)?.focus();

// Tab leads to the box that had the focus last.
function focusCame(node) {
  boxes.get(focused).tabIndex = -1;
  boxes.get(node).tabIndex = 0;
  focused = node;
}

// The sibling at @step from @node, of those that are drawn.
function sibling(node, step) {
  const list = node ? children[parents[node]].filter((child) => boxes.has(child)) : [];

  return list[list.indexOf(node) + step];
}

function move(key) {
  const inwards = turned ? "ArrowDown" : "ArrowUp";

  if (key === "ArrowLeft" || key === "ArrowRight")
    focus(sibling(focused, key === "ArrowLeft" ? -1 : 1));
  else if (key === inwards)
    focus(children[focused].filter((child) => boxes.has(child))
      .sort((a, b) => totals[b] - totals[a])[0]);
  else
    focus(parents[focused]);
}

graph.addEventListener("keydown", (event) => {
  if (event.key.startsWith("Arrow"))
    move(event.key);
  else if (event.key === "Enter" || event.key === " ")
    zoom(focused), focus(focused);
  else
    return;
  event.preventDefault();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    search.value = "";
    zoomed = 0;
    find();
  } else if (event.key === "/" && event.target !== search) {
    search.focus();
    event.preventDefault();
  }
});

const nodeOf = (event) => event.target.closest(".frame")?.dataset.node;

graph.addEventListener("click", (event) => {
  const node = nodeOf(event);

  if (node !== undefined)
    zoom(Number(node));
});
for (const type of ["mouseover", "focusin"]) {
  graph.addEventListener(type, (event) => {
    const node = nodeOf(event);

    if (node === undefined)
      return;
    detail.textContent = describe(Number(node));
    if (type === "focusin")
      focusCame(Number(node));
  });
}
search.addEventListener("input", find);
byId("tools").addEventListener("submit", (event) => {
  event.preventDefault();
  find();
});
byId("reset").addEventListener("click", () => zoom(0));
byId("turn").addEventListener("click", () => turn(!turned));
for (const button of document.querySelectorAll("#functions th button")) {
  button.addEventListener("click", () => {
    putFunctions(button.dataset.sort);
    save();
  });
}
window.addEventListener("resize", draw);
window.addEventListener("hashchange", restore);

// --- what the graph is of ---

const selfs = new Float64Array(data.frames.length), sums = new Float64Array(data.frames.length);
const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const orders = {
  self: (a, b) => selfs[b] - selfs[a] || sums[b] - sums[a],
  total: (a, b) => sums[b] - sums[a] || selfs[b] - selfs[a],
  function: (a, b) => order(data.frames[a][0], data.frames[b][0]),
};

function weighFunctions() {
  const open = new Int32Array(data.frames.length), path = [];

  for (let node = 1; node < depths.length; node++) {
    while (path.length >= depths[node])
      open[frames[path.pop()]]--;
    const frame = frames[node];
    selfs[frame] += totals[node] - children[node].reduce((sum, child) => sum + totals[child], 0);
    sums[frame] += open[frame] ? 0 : totals[node];
    open[frame]++;
    path.push(node);
  }
}

function putFunction(body, frame) {
  const row = body.insertRow(), [name, file] = data.frames[frame];

  // A click finds the function.
  row.tabIndex = 0;
  row.addEventListener("click", () => {
    search.value = "^" + name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") + "$";
    find();
  });
  row.addEventListener("keydown", (event) => event.key === "Enter" && row.click());
  for (const string of [share(selfs[frame]), share(sums[frame]), visible(name) + (file ? " (" + visible(file) + ")" : "")])
    row.insertCell().textContent = string;
}

// The functions with the most samples, in the order that was chosen.
function putFunctions(by) {
  const list = [...selfs.keys()].sort(by === "total" ? orders.total : orders.self).slice(0, FUNCTIONS);
  const body = byId("functions").tBodies[0];

  sorted = by;
  body.replaceChildren();
  for (const frame of list.sort(orders[by]))
    putFunction(body, frame);
  for (const button of document.querySelectorAll("#functions th button"))
    button.parentNode.setAttribute("aria-sort", button.dataset.sort !== by ? "none" : by === "function" ? "ascending" : "descending");
}

function putAbout() {
  const words = [data.total + " " + data.unit];

  if (data.duration_ns)
    words.push((data.duration_ns / 1e9).toFixed(2) + " s");
  if (data.lost)
    words.push(data.lost + " lost");
  if (!data.total)
    words.push("there is nothing to draw");
  byId("title").textContent = document.title = visible(data.title || "Flame graph");
  byId("about").textContent = words.join(", ");
}

readNodes();
putAbout();
weighFunctions();
restore();
document.documentElement.dataset.drawn = "";
