# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The results of guests, each behind a line "= ROUND ARCH VERSION STATUS SECONDS WHY", as a table of groups and kernels, what failed,
# why something was skipped, what differs between the kernels and, with several rounds, what did not always come out the same.
# All that differs is written to differences_file. With tap=1: a line of TAP for each group and kernel instead.

# To the right in @w columns, or to the left.
function right(s, w) {
	while (length(s) < w)
		s = " " s
	return s
}

function left(s, w) {
	while (length(s) < w)
		s = s " "
	return s
}

function note(table, kernel) {
	if (index(" " table " ", " " kernel " ") == 0)
		return table (table == "" ? "" : " ") kernel
	return table
}

# A result that should have been, and is not.
function broken(what) {
	failures[++nr_failures] = kernel round_of() ": " what
	lost[kernel]++
}

function round_of() {
	return rounds > 1 ? " (round " round ")" : ""
}

# Said once for all rounds in which it has the same cause: one that is interrupted has many to come.
function never_run() {
	if (!((kernel, why) in nr_never)) {
		nevers[++nr_nevers] = kernel
		never_why[nr_nevers] = why
	}
	nr_never[kernel, why]++
	lost[kernel]++
}

function tell_never(i, n) {
	for (i = 1; i <= nr_nevers; i++) {
		n = nr_never[nevers[i], never_why[i]]
		failures[++nr_failures] = nevers[i] ": not run" \
			(n < rounds ? " in " n " of " rounds " rounds" : "") (never_why[i] != "" ? ": " never_why[i] : "")
	}
}

function guest_ends() {
	if (!started)
		return
	if (group != "")
		broken("ended in the group " group)
	else if (blocks_planned > blocks)
		broken(blocks + 0 " of " blocks_planned " groups ended")
	if (status == "-" && tap)
		absent[kernel] = why
	else if (status == "-")
		never_run()
	else if (why != "")
		broken(why)
	else if (status != 0 && status != 4 && !failed_here)
		broken("exit status " status " although no test failed")
	group = ""
}

# One line of the table for what is one cause: without the way by which a test came to it (an event that was opened, a CPU, a
# task), and without what is another one in each run.
function same_cause(cause) {
	sub(/^.*event '[^']*': (CPU|task) [0-9]+: /, "", cause)
	sub(/^.*: BPF_LINK_CREATE: /, "BPF_LINK_CREATE: ", cause)
	gsub(/mem:0x[0-9a-f]+/, "mem:0x...", cause)
	gsub(/\/tmp\/pload-[^\/ ']+/, "/tmp/pload-...", cause)
	return cause
}

function result(ok, rest, name, cause, at) {
	name = rest
	at = index(rest, " # ")
	cause = ""
	if (at) {
		name = substr(rest, 1, at - 1)
		cause = substr(rest, at + 3)
	}
	seen++
	if (!ok) {
		failed[group, kernel]++
		failed_here++
		failures[++nr_failures] = kernel round_of() ": " group "/" name ": " cause
	} else if (cause ~ /^SKIP/) {
		sub(/^SKIP */, "", cause)
		cause = same_cause(cause)
		skipped[group, kernel]++
		if (!(cause in skip_nr))
			skips[++nr_skips] = cause
		skip_nr[cause]++
		skip_kernels[cause] = note(skip_kernels[cause], kernel)
	} else {
		passed[group, kernel]++
	}
	kind = !ok ? "failed" : cause != "" ? "skipped" : "passed"
	if (rounds > 1)
		count(kernel ": " group "/" name, kind)
}

function count(test, kind) {
	if (!(test in outcomes))
		tests[++nr_tests] = test
	if (index(outcomes[test], kind) == 0)
		outcomes[test] = outcomes[test] " " kind
	times[test, kind]++
}

# "TEST: KEY: VALUE", in the first two of which a ": " that belongs to them has a backslash before it.
function saw(line, what, key, at) {
	gsub(/\\: /, "\001", line)
	at = index(line, ": ")
	what = substr(line, 1, at - 1)
	line = substr(line, at + 2)
	at = index(line, ": ")
	key = substr(line, 1, at - 1)
	line = substr(line, at + 2)
	if (key != "")
		what = what ": " key
	gsub(/\001/, ": ", what)
	gsub(/\001/, "\\: ", line)
	if (!(what in seen_what))
		behaviours[++nr_behaviours] = what
	seen_what[what] = 1
	value_of[what, kernel] = line
}

/^= / {
	guest_ends()
	started = 1
	round = $2
	arch = $3
	kernel = $3 "/" $4
	status = $5
	seconds[kernel] = $6
	why = $0
	sub(/^= [^ ]* [^ ]* [^ ]* [^ ]* [^ ]* ?/, "", why)
	if (!(kernel in known)) {
		known[kernel] = 1
		kernels[++nr_kernels] = kernel
	}
	blocks = blocks_planned = failed_here = 0
	group = ""
	next
}

# Something of the kernel's may stand before it, in the same line.
/# Subtest: / {
	sub(/.*# Subtest: /, "")
	group = $0
	if (!(group in known_group)) {
		known_group[group] = 1
		groups[++nr_groups] = group
	}
	seen = planned = 0
	next
}
/^ +1\.\.[0-9]+/ { planned = substr($1, 4) + 0; next }
/^1\.\.[0-9]+/ { blocks_planned = substr($1, 4) + 0; next }
/^ +ok [0-9]+ / && group != "" { sub(/^ +ok [0-9]+ (- )?/, ""); result(1, $0); next }
/^ +not ok [0-9]+ / && group != "" { sub(/^ +not ok [0-9]+ (- )?/, ""); result(0, $0); next }
/^(not )?ok [0-9]+ / {
	if (seen != planned)
		broken("the group " group " has " planned " tests, of which " seen " ended")
	group = ""
	blocks++
	next
}
/^# saw: / { saw(substr($0, 8)) }

function cell(p, f, s) {
	if (p + f + s == 0)
		return "-"
	return p + 0 (s ? "-" s "s" : "") (f ? " " f "F" : "")
}

# Names of kernels, shorter where it is all of them or all of an architecture.
function shortly(list, n, i, a, word, of, all, has, out, others) {
	n = split(list, word, " ")
	if (n == nr_kernels)
		return nr_kernels > 1 ? "everywhere" : list
	for (i = 1; i <= nr_kernels; i++) {
		split(kernels[i], of, "/")
		all[of[1]]++
		if (index(" " list " ", " " kernels[i] " "))
			has[of[1]]++
		else
			others = others " " kernels[i]
	}
	if (nr_kernels - n <= nr_kernels / 4)
		return "all but" others
	for (i = 1; i <= nr_kernels; i++) {
		split(kernels[i], of, "/")
		a = of[1]
		if (!has[a])
			continue
		if (has[a] == all[a] && all[a] > 1) {
			out = out " " a "/*"
			has[a] = 0
		} else if (index(" " list " ", " " kernels[i] " ")) {
			out = out " " kernels[i]
		}
	}
	return substr(out, 2)
}

function widths(i, k, w, of) {
	first = 6
	for (i = 1; i <= nr_groups; i++)
		if (length(groups[i]) > first)
			first = length(groups[i])
	for (k = 1; k <= nr_kernels; k++) {
		split(kernels[k], of, "/")
		w = length(of[2]) > length(of[1]) ? length(of[2]) : length(of[1])
		for (i = 1; i <= nr_groups; i++)
			if (length(text[i, k]) > w)
				w = length(text[i, k])
		if (length(total[k]) > w)
			w = length(total[k])
		width[k] = w + 2
	}
}

function table(i, k, of, p, f, s) {
	for (k = 1; k <= nr_kernels; k++) {
		p = f = s = 0
		for (i = 1; i <= nr_groups; i++) {
			text[i, k] = cell(passed[groups[i], kernels[k]], failed[groups[i], kernels[k]],
					  skipped[groups[i], kernels[k]])
			p += passed[groups[i], kernels[k]]
			f += failed[groups[i], kernels[k]]
			s += skipped[groups[i], kernels[k]]
		}
		total[k] = (lost[kernels[k]] ? "!" : "") cell(p, f, s)
		all_passed += p
		all_failed += f
		all_skipped += s
	}
	widths()
	printf "%s", left("", first)
	for (k = 1; k <= nr_kernels; k++) {
		split(kernels[k], of, "/")
		printf "%s", right(of[1], width[k])
	}
	printf "\n%s", left("group", first)
	for (k = 1; k <= nr_kernels; k++) {
		split(kernels[k], of, "/")
		printf "%s", right(of[2], width[k])
	}
	print ""
	for (i = 1; i <= nr_groups; i++) {
		printf "%s", left(groups[i], first)
		for (k = 1; k <= nr_kernels; k++)
			printf "%s", right(text[i, k], width[k])
		print ""
	}
	printf "%s", left("all", first)
	for (k = 1; k <= nr_kernels; k++)
		printf "%s", right(total[k], width[k])
	printf "\n%s", left("seconds", first)
	for (k = 1; k <= nr_kernels; k++)
		printf "%s", right(seconds[kernels[k]], width[k])
	print "\n(passed-skipped, F failed, ! did not end as it should, - not run)"
}

# All of them are in the file, the first ten are printed.
function difference(line) {
	if (!nr_differences++) {
		line = "differences between kernels, in the order of the table's columns (. not seen):\n" line
		print "\n" line
	} else if (nr_differences <= 10) {
		print line
	}
	if (differences_file != "")
		print line >differences_file
}

# A letter for each value, in the order in which they come.
function differences(i, k, n, v, what, row, legend, letter) {
	for (i = 1; i <= nr_behaviours; i++) {
		what = behaviours[i]
		split("", letter)
		n = 0
		row = legend = ""
		for (k = 1; k <= nr_kernels; k++) {
			if (!((what, kernels[k]) in value_of)) {
				row = row " ."
				continue
			}
			v = value_of[what, kernels[k]]
			if (!(v in letter)) {
				letter[v] = substr("abcdefghijklmnopqrstuvwxyz", ++n, 1)
				legend = legend (n > 1 ? ", " : "") letter[v] "=" v
			}
			row = row " " letter[v]
		}
		if (n < 2)
			continue
		difference(sprintf(" %s   %s: %s", row, what, legend))
	}
	if (nr_differences > 10)
		print "  and " nr_differences - 10 " more" (differences_file != "" ? ": " differences_file : "")
}

function flakes(i, n, kinds, k, line, said) {
	for (i = 1; i <= nr_tests; i++) {
		n = split(outcomes[tests[i]], kinds, " ")
		if (n < 2)
			continue
		line = ""
		for (k = 1; k <= n; k++)
			line = line (k > 1 ? ", " : "") kinds[k] " " times[tests[i], kinds[k]]
		if (!said++)
			print "\nflakes, which did not come out the same in each round:"
		print "  " tests[i] ": " line
	}
	if (rounds > 1 && !said)
		print "\nno flakes in " rounds " rounds"
}

# --- as TAP: one test for each group on each kernel ---

function tap_lines(i, k, g, n, key) {
	for (k = 1; k <= nr_kernels; k++) {
		if (kernels[k] in absent)
			print "ok " ++n " - " kernels[k] " # SKIP " absent[kernels[k]]
		else if (lost[kernels[k]])
			print "not ok " ++n " - " kernels[k] " runs the suite to its end"
		else
			print "ok " ++n " - " kernels[k] " runs the suite to its end"
		for (i = 1; i <= nr_groups; i++) {
			g = groups[i]
			key = g SUBSEP kernels[k]
			if (passed[key] + failed[key] + skipped[key] == 0)
				continue
				printf "%s %d - %s %s: %s", failed[key] ? "not ok" : "ok", ++n, kernels[k], g,
				cell(passed[key], failed[key], skipped[key])
				print !failed[key] && !passed[key] ? " # SKIP each of its tests" : ""
		}
	}
	for (i = 1; i <= nr_failures; i++)
		print "# " failures[i]
	print "1.." n
}

END {
	guest_ends()
	tell_never()
	if (tap) {
		tap_lines()
		exit nr_failures > 0
	}
	table()
	if (nr_failures)
		print "\nfailed:"
	for (i = 1; i <= nr_failures; i++)
		print "  " failures[i]
	if (nr_skips)
		print "\nskipped, and why:"
	for (i = 1; i <= nr_skips; i++)
		print "  " skip_nr[skips[i]] "  " skips[i] "  [" shortly(skip_kernels[skips[i]]) "]"
	differences()
	flakes()
	printf "\n%d passed, %d failed, %d skipped on %d kernels", all_passed, all_failed, all_skipped, nr_kernels
	print (rounds > 1 ? ", " rounds " times" : "")
	exit nr_failures > 0 || all_passed == 0
}
