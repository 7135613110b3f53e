# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Draws cost against size as SVG, both on logarithmic scales, with a line for each subject: of the figures of a group whose names begin
# with a number, which is the size.
# usage: plot.awk -v group=scale -v words="programs$" -v title=... -v x_label=... FIGURES...	words: a pattern for what follows the number

BEGIN {
	FS = "\t"
	width = 640; height = 400; left = 70; right = 470; top = 50; bottom = 340
	split("#1f6feb #d1242f #8250df #1a7f37 #bf8700 #57606a", color, " ")
}
$1 == "figure" && $2 == group && $3 ~ ("^[0-9]+ " words) {
	x = $3 + 0
	if ($6 <= 0)
		next
	if (!($4 in subject))
		order[subject[$4] = ++nr_subjects] = $4
	nr[$4]++
	xs[$4, nr[$4]] = x
	ys[$4, nr[$4]] = $6
	unit = $5
	if (!any++) { min_x = max_x = x; min_y = max_y = $6 }
	if (x < min_x) min_x = x
	if (x > max_x) max_x = x
	if ($6 < min_y) min_y = $6
	if ($6 > max_y) max_y = $6
}
function log10(n) { return log(n) / log(10) }
function floor(n) { return n < int(n) ? int(n) - 1 : int(n) }
function at_x(x) { return left + (log10(x) - low_x) / (high_x - low_x) * (right - left) }
function at_y(y) { return bottom - (log10(y) - low_y) / (high_y - low_y) * (bottom - top) }
function short(n) { return n >= 1000000 ? n / 1000000 "M" : n >= 1000 ? n / 1000 "k" : n "" }
END {
	if (!any || min_x == max_x)
		exit 1
	low_x = log10(min_x) - 0.1; high_x = log10(max_x) + 0.1
	low_y = floor(log10(min_y)); high_y = floor(log10(max_y)) + 1
	print "<!-- SPDX-License-" "Identifier: GPL-2.0-only OR BSD-2-Clause -->"
	print "<!-- A plot by make bench: " title ". -->"
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n", width, height
	printf "<title>%s</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", title, width, height
	printf "<text x=\"%d\" y=\"24\" font-size=\"15\">%s</text>\n", left, title
	for (y = low_y; y <= high_y; y++) {
		printf "<path d=\"M%d %.0fH%d\" stroke=\"#ddd\"/>", left, at_y(10 ^ y), right
		printf "<text x=\"%d\" y=\"%.0f\" text-anchor=\"end\">%s</text>\n", left - 6, at_y(10 ^ y) + 4, short(10 ^ y)
	}
	for (i = 1; i <= nr_subjects; i++)
		for (n = 1; n <= nr[order[i]]; n++) {
			x = xs[order[i], n]
			if (!drawn[x]++)
				printf "<text x=\"%.0f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", at_x(x), bottom + 18, short(x)
		}
	printf "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", (left + right) / 2, bottom + 40, x_label
	printf "<text x=\"%d\" y=\"%d\">%s</text>\n", 10, top - 10, unit
	for (i = 1; i <= nr_subjects; i++) {
		path = ""
		for (n = 1; n <= nr[order[i]]; n++) {
			px = at_x(xs[order[i], n]); py = at_y(ys[order[i], n])
			path = path sprintf("%s%.0f %.0f", n > 1 ? "L" : "M", px, py)
		}
		printf "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>\n", path, color[i]
		end[i] = py
	}
	# The names stand where the lines end, the uppermost first, and at least a line apart.
	last = -99
	for (n = 1; n <= nr_subjects; n++) {
		first = 0
		for (i = 1; i <= nr_subjects; i++)
			if ((i in end) && (!first || end[i] < end[first]))
				first = i
		last = end[first] < last + 14 ? last + 14 : end[first]
		delete end[first]
		printf "<text x=\"%d\" y=\"%.0f\" fill=\"%s\">%s</text>\n", right + 8, last + 4, color[first], order[first]
	}
	print "</svg>"
}
