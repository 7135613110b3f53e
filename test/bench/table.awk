# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Joins the rows of the bench with the figures that were measured: a table in Markdown or, with -v json=1, in JSON.
# usage: table.awk rows FIGURES...	with lines "figure GROUP NAME SUBJECT UNIT VALUE", "absent GROUP SUBJECT WHY", "context GROUP WHEN LOAD"
# -v machine="CPU model; kernel"

function trim(text) { sub(/^[ \t]+/, "", text); sub(/[ \t]+$/, "", text); return text }

# Three digits, or somewhat more.
function number(value,  digits) {
	if (value == "")
		return ""
	digits = value >= 100 || value == int(value) ? 0 : value >= 10 ? 1 : value >= 0.1 ? 2 : 3
	return sprintf("%." digits "f", value)
}

# The limit that the target sets to the figure: a ratio, a difference or the figure itself.
function is_met(target, value, peer,  part, limit) {
	split(target, part, " ")
	limit = part[2] + 0
	if (part[3] == "x")
		limit *= peer
	else if (part[2] ~ /^\+/)
		limit += peer
	return part[1] == "<=" ? value <= limit : value >= limit
}

function quote(text) { gsub(/\\/, "\\\\", text); gsub(/"/, "\\\"", text); return "\"" text "\"" }

function why_absent(group, subject) {
	if ((group, subject) in absent)
		return absent[group, subject]
	return group in context ? "not measured: the run ended before" : ""
}

function print_row(group, name, subject, peer, target,  mine, theirs, met, why, ratio) {
	mine = value[group, name, subject]
	theirs = peer == "-" ? "" : value[group, name, peer]
	if (mine == "")
		why = why_absent(group, subject)
	else if (peer != "-" && theirs == "")
		why = why_absent(group, peer)
	if (mine == "" && why == "")	# the group has not been run
		return
	ratio = mine != "" && theirs != "" && theirs + 0 ? mine / theirs : ""
	if (target != "-")
		met = why != "" ? "?" : is_met(target, mine, theirs) ? "yes" : "no"
	if (json)
		row[++nr] = sprintf("{\"group\": %s, \"name\": %s, \"unit\": %s, \"subject\": %s, \"figure\": %s, \"peer\": %s, " \
			"\"peer_figure\": %s, \"ratio\": %s, \"target\": %s, \"met\": %s, \"why\": %s}", quote(group), quote(name),
			quote(unit[group, name]), quote(subject), mine == "" ? "null" : mine, peer == "-" ? "null" : quote(peer),
			theirs == "" ? "null" : theirs, ratio == "" ? "null" : ratio, target == "-" ? "null" : quote(target),
			met == "yes" ? "true" : met == "no" ? "false" : "null", why == "" ? "null" : quote(why))
	else
		row[++nr] = sprintf("| %s | %s | %s | %s | %s | %s | %s | %s | %s |", group ": " name, unit[group, name], subject,
			number(mine), peer == "-" ? "" : peer, number(theirs), number(ratio), target == "-" ? "" : target,
			why != "" ? why : met)
}

FNR == NR {
	if (!/^#/ && split($0, field, "|") == 5)
		plan[++nr_plan] = $0
	next
}
BEGIN { FS = "\t" }
$1 == "context" { context[$2] = $3; load[$2] = $4; groups[++nr_groups] = $2 }
$1 == "absent" { absent[$2, $3] = $4 }
$1 == "figure" {
	if (!(($2, $3) in unit))
		names[++nr_names] = $2 SUBSEP $3
	unit[$2, $3] = $5
	value[$2, $3, $4] = $6
}
END {
	for (i = 1; i <= nr_plan; i++) {
		split(plan[i], f, "|")
		for (n = 1; n <= 5; n++)
			f[n] = trim(f[n])
		if (f[2] !~ /\*$/)
			print_row(f[1], f[2], f[3], f[4], f[5])
		for (n = 1; f[2] ~ /\*$/ && n <= nr_names; n++) {
			split(names[n], key, SUBSEP)
			if (key[1] == f[1] && index(key[2], substr(f[2], 1, length(f[2]) - 1)) == 1)
				print_row(key[1], key[2], f[3], f[4], f[5])
		}
		if (f[2] ~ /\*$/ && (f[1], f[3]) in absent)
			print_row(f[1], "all", f[3], f[4], f[5])
	}
	if (json) {
		printf "{\"machine\": %s, \"groups\": [", quote(machine)
		for (i = 1; i <= nr_groups; i++)
			printf "%s{\"name\": %s, \"begun\": %s, \"load\": %s}", (i > 1 ? ", " : ""), quote(groups[i]),
				quote(context[groups[i]]), load[groups[i]]
		print "], \"rows\": ["
		for (i = 1; i <= nr; i++)
			print row[i] (i < nr ? "," : "")
		print "]}"
		exit
	}
	print machine ".\n"
	for (i = 1; i <= nr_groups; i++)
		printf "%s%s: %s, load %s", (i > 1 ? "; " : ""), groups[i], context[groups[i]], load[groups[i]]
	print ".\n\n| row | unit | subject | figure | peer | its figure | ratio | target | met |\n" \
		"|---|---|---|--:|---|--:|--:|---|---|"
	for (i = 1; i <= nr; i++)
		print row[i]
}
