// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Uses a flame graph as a reader does, and leaves what it saw in the page, for test/cli/profile.sh.
"use strict";

const seen = [], say = (what, value) => seen.push(what + "=" + value);
const boxOf = (name) => [...document.querySelectorAll(".frame")].find((box) => box.textContent === name);
const isWhole = (name) => boxOf(name)?.style.width === "100%";
const press = (target, key) =>
  target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));

say("boxes", document.querySelectorAll(".frame").length > 3);
say("elements of names", document.querySelectorAll("b").length);
say("command", boxOf("<b>;\"x") !== undefined);
say("rows", document.querySelectorAll("#functions tbody tr").length > 0);

const shareOf = (box) => parseFloat(box.title.match(/, ([0-9.]+)%/)[1]);
say("widths", [...document.querySelectorAll(".frame")].every((box) =>
  Math.abs(parseFloat(box.style.width) - shareOf(box)) < 0.01));
boxOf("inner_hot").dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
say("hover", /^inner_hot \(.*\): \d+ samples, [0-9.]+%/.test(document.getElementById("detail").textContent));

press(document.body, "/");
say("search has focus", document.activeElement.id);
const search = document.getElementById("search");
search.value = "INNER_h";
search.dispatchEvent(new Event("input"));
say("found", [...document.querySelectorAll(".found")].every((box) => box.textContent === "inner_hot"));
say("matches", /^[0-9.]+% matches$/.test(document.getElementById("found").textContent));
search.value = "^inner_(hot|cold)$|^nothing";
search.dispatchEvent(new Event("input"));
say("regular expression", document.querySelectorAll(".found").length > 0 &&
  [...document.querySelectorAll(".found")].every((box) => box.textContent === "inner_hot"));
search.value = "inner_hot(";
search.dispatchEvent(new Event("input"));
say("no regular expression", document.getElementById("found").textContent);
[...document.querySelectorAll("#functions tbody tr")].find((row) => row.textContent.includes("inner_hot")).click();
say("row", search.value + " " + (document.querySelectorAll(".found").length > 0));
search.value = "no such function";
search.dispatchEvent(new Event("input"));
say("nothing", document.getElementById("found").textContent);

say("before", isWhole("inner_hot"));
boxOf("inner_hot").click();
say("click", isWhole("inner_hot"));
press(document.body, "Escape");
boxOf("outer").click();
boxOf("inner_hot").dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
say("share of the enlarged one", /: \d+ samples, [0-9.]+%, [0-9.]+% of outer/
  .test(document.getElementById("detail").textContent));
press(document.body, "Escape");
say("escape", isWhole("inner_hot"));

boxOf("all").focus();
press(boxOf("all"), "ArrowUp");
say("arrow", document.activeElement.textContent);
press(document.activeElement, "Enter");
say("enter", isWhole("<b>;\"x"));
press(document.activeElement, "ArrowDown");
say("back", document.activeElement.textContent);
const top0 = parseInt(boxOf("all").style.top, 10);
document.getElementById("turn").click();
say("turned", top0 > 0 && boxOf("all").style.top === "0px");

// The state is in the URL, and comes from there. A browser sends the event after this script.
const go = (hash) => {
  history.replaceState(null, "", hash);
  window.dispatchEvent(new HashChangeEvent("hashchange"));
};
const sortBy = (name) => document.querySelector("#functions button[data-sort=" + name + "]").click();
const sortOf = () => document.querySelector("#functions [aria-sort=ascending], #functions [aria-sort=descending]").textContent;
const rowOf = (i) => document.querySelectorAll("#functions tbody tr")[i].cells[2].textContent;
const state = () => [isWhole("inner_hot"), document.querySelectorAll(".found").length, search.value, sortOf(),
  boxOf("all").style.top, document.getElementById("turn").getAttribute("aria-pressed")].join();

sortBy("function");
say("sorted by name", rowOf(0) <= rowOf(1) && rowOf(1) <= rowOf(2));
sortBy("total");
say("sorted by total", rowOf(0));
boxOf("inner_hot").click();
search.value = "R_h";
search.dispatchEvent(new Event("input"));
say("state", location.hash.replace(/node=[1-9][0-9]*/, "node=N"));
const hash = location.hash, whole = state();
document.getElementById("turn").click();
document.getElementById("reset").click();
search.value = "";
search.dispatchEvent(new Event("input"));
sortBy("self");
say("no state", location.hash);
go(hash);
say("restored", whole.startsWith("true,") && state() === whole);
for (const bad of ["#", "#%", "#node=99999999", "#node=-1", "#node=1e0", "#node=0x1", "#node=1.5", "#node=NaN", "#node=9999999999999999",
  "#sort=__proto__&turned=2", "#sort=constructor", "#node=__proto__"])
  for (const before of [hash, "#"]) {
    go(before);
    go(bad);
    if (state() !== "false,0,,self," + top0 + "px,false")
      say("a wrong state", bad + " " + state());
  }
go("#search=%3Cimg%20src%3Dx%20onerror%3Ddocument.title%3D1%3E");
say("markup", search.value + " " + document.querySelectorAll("img").length);
const bare = location.href.split("#")[0];
for (const slow of ["(a|a)*b", "(h|o|t|n|e|r|_|i|ho|in)+$", "a?a?", "a{9}{9}", "\\\\(.)", "[a-z]*[a-z]*!", "i+\\n.*x"]) {
  go(bare + "#" + new URLSearchParams({ search: slow }));
  say("slow", slow + " " + document.getElementById("found").textContent);
}
for (const quick of ["^inner_hot$", "inner_hot|aside", "inner.*", "\\(\\*\\+|inner_hot"]) {
  go(bare + "#" + new URLSearchParams({ search: quick }));
  say("quick", quick + " " + (document.querySelectorAll(".found").length > 0));
}
go("#search=(inner_)hot");
document.getElementById("tools").requestSubmit();
say("searched by Enter", document.querySelectorAll(".found").length > 0);
go("#search=" + "x".repeat(100000));
say("a long search", search.value.length);

const result = document.createElement("pre");
result.id = "seen";
result.textContent = seen.join("\n");
document.body.append(result);
