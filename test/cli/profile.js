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

const result = document.createElement("pre");
result.id = "seen";
result.textContent = seen.join("\n");
document.body.append(result);
