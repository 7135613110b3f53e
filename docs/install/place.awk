# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Turns a text of the tree into the installed one: it names what lies in the tree by where that is installed, and a link to a file that
# is not installed becomes its text.
#
# A link is relative to the page that has it. A picture alone in a line goes with its line.
# usage: awk -v name=docs/output.md -v installed='README.md docs/output.md' -v libdir=/usr/lib/pload ... -f place.awk docs/output.md

# The path from the root of the documentation of @link, which is relative to the page, without its "#chapter".
function resolve(link,    dir) {
	sub(/#.*/, "", link)
	if (link == "")
		return name
	dir = name
	sub(/[^\/]*$/, "", dir)
	link = dir link
	while (sub(/[^\/]+\/\.\.\//, "", link))
		;
	return link
}

function is_installed(link) {
	return link ~ /^[a-z]+:/ || index(" " installed " ", " " resolve(link) " ")
}

function with_links(text,    out, label, link, at) {
	while (match(text, /!?\[[^][]*\]\([^() ]*\)/)) {
		label = link = substr(text, RSTART, RLENGTH)
		at = RSTART + RLENGTH
		sub(/.*\]\(/, "", link)
		sub(/\)$/, "", link)
		if (!is_installed(link)) {
			sub(/\]\(.*/, "", label)
			label = label ~ /^!/ ? "" : substr(label, 2)
		}
		out = out substr(text, 1, RSTART - 1) label
		text = substr(text, at)
	}
	return out text
}

{ text = text $0 "\n" }
END {
	if (name ~ /\.md$/)
		text = with_links(text)
	gsub(/build\/progs/, "@LIBDIR@/progs", text)
	gsub(/build\/attach/, "attach", text)
	gsub(/build\/judge/, "pload-judge", text)
	gsub(/\.\/pload/, "pload", text)
	gsub(/@LIBDIR@/, libdir, text)
	gsub(/@DATADIR@/, datadir, text)
	gsub(/@DOCDIR@/, docdir, text)
	gsub(/@INCLUDEDIR@/, includedir, text)
	gsub(/@VERSION@/, version, text)
	printf "%s", text
}
