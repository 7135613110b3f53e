// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Names on pages: what is_control() of loader/core/value/put.c has is shown as an escape.
const visible = (string) => String(string).replace(
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
  (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
// The same of a text of several lines.
const visibleLines = (text) => String(text ?? "").split(/([\t\n])/).map((part, i) => (i % 2 ? part : visible(part))).join("");
