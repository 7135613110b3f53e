// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Renders the member "scale" of a document: for each kind a picture of cost against number, and a table.

const SCALE_WAYS_MAX = 5;
const SCALE_ENDS = ["attach", "close", "exit", "kill"];
const WAIT_NAMES = ["rcu", "tasks", "tasks_trace", "srcu", "text"];

// Coordinates of the plot within the picture, which is 360 units wide.
const PLOT = { left: 52, right: 348, top: 10, bottom: 196, width: 360, height: 226 };

function timeText(ns) {
  const units = [["ns", 1], ["us", 1e3], ["ms", 1e6], ["s", 1e9]];
  const [unit, size] = units.filter(([, n]) => ns >= n).pop() || units[0];
  const n = ns / size;

  return (n >= 100 ? Math.round(n) : Number(n.toPrecision(3))) + " " + unit;
}

function waitsText(waits) {
  if (!waits || typeof waits !== "object")
    return "-";
  return WAIT_NAMES.filter((name) => waits[name] > 0)
    .map((name) => waits[name] + " " + name.replace("tasks_", "")).join(", ") || "0";
}

function addSvg(parent, name, attributes, string) {
  const element = document.createElementNS(document.getElementById("svg").namespaceURI, name);

  for (const [key, value] of Object.entries(attributes || {}))
    element.setAttribute(key, value);
  if (string !== undefined)
    put(element, string);
  parent.append(element);
  return element;
}

// A shape for each way, so that colours are not needed to tell them apart.
function shape(i, x, y) {
  const r = 4;

  return ["M" + (x - r) + " " + y + "a4 4 0 1 0 8 0a4 4 0 1 0 -8 0",
    "M" + (x - r) + " " + (y - r) + "h8v8h-8z",
    "M" + x + " " + (y - 5) + "l5 9h-10z",
    "M" + x + " " + (y - 5) + "l5 5l-5 5l-5 -5z",
    "M" + (x - 5) + " " + (y - 4) + "h10l-5 9z"][i];
}

// The measured points of a way, and the point of its model at the largest number.
function pointsOf(way, of, largest) {
  const points = [];
  const model = list(way.models).map(object).find((m) => m.of === of);

  for (const cell of list(way.cells).map(object)) {
    const ns = object(cell[of]).ns;

    if (Number.isFinite(cell.number) && cell.number > 0 && ns > 0)
      points.push({ n: cell.number, ns });
  }
  const last = points[points.length - 1];
  if (model && last && last.n < largest)
    points.push({ n: largest, ns: Math.max(1, model.fixed_ns + model.each_ns * largest), model: true });
  return points.filter((point) => Number.isFinite(point.ns));
}

function addAxes(svg, x, y, numbers, decades) {
  for (let d = decades[0]; d <= decades[1]; d += decades[1] - decades[0] > 6 ? 2 : 1) {
    addSvg(svg, "path", { class: "grid", d: "M" + PLOT.left + " " + y(10 ** d) + "H" + PLOT.right });
    addSvg(svg, "text", { x: PLOT.left - 5, y: y(10 ** d) + 4, "text-anchor": "end" }, timeText(10 ** d));
  }
  for (const n of numbers)
    addSvg(svg, "text", { x: x(n), y: PLOT.bottom + 16, "text-anchor": "middle" }, n);
}

function addLine(svg, i, points, x, y) {
  const at = (p) => x(p.n).toFixed(1) + " " + y(p.ns).toFixed(1);
  const measured = points.filter((p) => !p.model), predicted = points.filter((p) => p.model);
  const last = measured[measured.length - 1];

  if (measured.length > 1)
    addSvg(svg, "path", { class: "line w" + i, d: "M" + measured.map(at).join("L") });
  for (const p of predicted)
    addSvg(svg, "path", { class: "line model w" + i, d: "M" + at(last) + "L" + at(p) });
  for (const p of points)
    addSvg(svg, "path", { class: "point w" + i + (p.model ? " model" : ""), d: shape(i, x(p.n), y(p.ns)) });
}

// Cost against number, both in powers of ten.
function addChart(parent, ways, of, numbers) {
  const largest = Math.max(...numbers), smallest = Math.min(...numbers);
  const all = ways.map((way) => pointsOf(way, of, largest));
  const times = all.flat().map((p) => p.ns);
  const figure = add(parent, "figure");
  const decades = [Math.floor(Math.log10(Math.min(...times))), Math.ceil(Math.log10(Math.max(...times)))];
  const x = (n) => PLOT.left + 10 + (PLOT.right - PLOT.left - 20) *
    (largest > smallest ? Math.log(n / smallest) / Math.log(largest / smallest) : 0.5);
  const y = (ns) => PLOT.bottom - (PLOT.bottom - PLOT.top) *
    (Math.log10(ns) - decades[0]) / Math.max(1, decades[1] - decades[0]);

  add(figure, "figcaption", "Time to " + of + ", by number");
  const svg = addSvg(figure, "svg", { viewBox: "0 0 " + PLOT.width + " " + PLOT.height, role: "img",
    "aria-label": "time to " + of + " against the number of attachments; the table has the values" });
  addAxes(svg, x, y, numbers, decades);
  all.forEach((points, i) => points.length && addLine(svg, i, points, x, y));
}

function addLegend(parent, ways) {
  const ul = add(parent, "ul", undefined, "legend");

  ways.forEach((way, i) => {
    const li = add(ul, "li");
    const svg = addSvg(li, "svg", { viewBox: "0 0 12 12", width: 12, height: 12, "aria-hidden": "true" });

    addSvg(svg, "path", { class: "point w" + i, d: shape(i, 6, 6) });
    put(li, " " + text(way.way, "-"));
  });
  add(ul, "li", "dashed: by the model", "soft");
}

function addScaleTable(parent, ways) {
  const table = add(addBox(parent, "what each number costs"), "table", undefined, "scale");
  const head = add(add(table, "thead"), "tr"), body = add(table, "tbody");

  for (const title of ["way", "number", ...SCALE_ENDS, "hit", "waits to attach", "waits to close"])
    add(head, "th", title, "", { scope: "col" });
  for (const way of ways)
    for (const cell of list(way.cells).map(object)) {
      if (!object(cell.attach).ns)
        continue;
      const tr = add(body, "tr");

      add(tr, "th", text(way.way, "-"), "", { scope: "row" });
      add(tr, "td", text(String(cell.number)));
      for (const end of SCALE_ENDS)
        add(tr, "td", Number.isFinite(object(cell[end]).ns) ? timeText(cell[end].ns) : text(cell[end], "-"));
      add(tr, "td", Number.isFinite(cell.hit_ns) ? timeText(cell.hit_ns) : "-");
      add(tr, "td", waitsText(object(cell.attach).waits));
      add(tr, "td", waitsText(object(cell.close).waits));
    }
}

function addScaleKind(parent, kind, all) {
  const ways = all.filter((way) => list(way.cells).some((cell) => object(object(cell).attach).ns > 0))
    .slice(0, SCALE_WAYS_MAX);
  const numbers = [...new Set(all.flatMap((way) => list(way.cells).map((cell) => object(cell).number)))]
    .filter((n) => Number.isFinite(n) && n > 0).sort((a, b) => a - b);

  add(parent, "h2", kind);
  add(parent, "p", text(all[0].what, ""), "soft");
  for (const way of all)
    addCause(parent, text(way.way, "-"), way.error);
  if (!ways.length)
    return;
  const charts = add(parent, "div", undefined, "bars charts");
  for (const of of ["attach", "close"])
    if (ways.some((way) => pointsOf(way, of, 0).length))
      addChart(charts, ways, of, numbers);
  addLegend(parent, ways);
  addScaleTable(parent, ways);
}

function addScale(parent, scale) {
  const kinds = new Map(), predict = object(scale.predict);

  for (const way of list(scale.ways).map(object)) {
    const kind = text(way.kind, "-");

    kinds.set(kind, [...(kinds.get(kind) || []), way]);
  }
  for (const [kind, ways] of kinds)
    addScaleKind(parent, kind, ways);
  if (text(scale.waits_by) === undefined)
    addCause(parent, "Waits are not counted", scale.no_waits);
  if (text(predict.assumes) !== undefined)
    add(parent, "p", "Predicted for " + predict.cpus + " CPUs and " + predict.hz + " Hz: waits take " +
      predict.factor_1000 / 1000 + " times as long, if " + predict.assumes + ".", "small");
}
