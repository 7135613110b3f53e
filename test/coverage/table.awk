# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Reads test/coverage/goals, then what `gcov -b -t` prints for each object, and prints lines and branches per folder as a table.
#
# A line is covered when one of the objects that contain it has run it (a function of a header is in many), and a branch when it was
# taken. gcov prints of each source file:
#
#         -:    0:Source:elf/image.c      the file that follows
#        12:   57:	if (off > size)       line 57 ran 12 times; ##### is never, - is no code, 12* has a block that never ran
# branch  0 taken 3 (fallthrough)         branches of that line, in its order
# branch  1 never executed
#
# Set `uncovered` to a folder or file for each line and branch in it that nothing has run. The status is 1 when a goal is not met.

FILENAME == goals { if (!/^#/ && NF == 3) { order[++nr_goals] = $1; goal_lines[$1] = $2; goal_branches[$1] = $3 }; next }

/^ *-: *0:Source:/ {
	sub(/^ *-: *0:Source:/, "")
	file = $0
	ours = file ~ /^(elf|loader)\//
	next
}
!ours { next }

/^ *[^ :]+: *[0-9]+:/ {
	count = $1
	split($0, part, ":")
	line = part[2] + 0
	branch = 0
	key = file SUBSEP line
	sub(/:.*/, "", count)
	if (count == "-" || line == 0)
		next
	if (!(key in ran)) {
		ran[key] = 0
		files[file]
		text[key] = substr($0, index($0, part[2] ":") + length(part[2]) + 1)
	}
	if (count !~ /^[#=]/)
		ran[key] = 1
	next
}

/^branch / {
	key = file SUBSEP line SUBSEP branch++
	if (!(key in taken))
		taken[key] = 0
	if ($3 == "taken" && $4 !~ /^0/)
		taken[key] = 1
}

function folder_of(name) { sub(/\/[^\/]*$/, "", name); return name }

# goal_of(FOLDER): the goal with the longest name that FOLDER begins with.
function goal_of(folder,    i, best) {
	for (i = 1; i <= nr_goals; i++)
		if (index(folder "/", order[i] "/") == 1 && length(order[i]) > length(best))
			best = order[i]
	return best
}

function share(part, all) { return all ? 100 * part / all : 100 }

function below(name, goal) {
	return share(lines_ran[name], lines_all[name]) < goal_lines[goal] ||
	       share(branches_taken[name], branches_all[name]) < goal_branches[goal]
}

function row(name, note) {
	return sprintf("| %s | %d | %.1f %% | %d | %.1f %% | %s |", name, lines_all[name], share(lines_ran[name], lines_all[name]),
		       branches_all[name], share(branches_taken[name], branches_all[name]), note)
}

function add(name, lines, ran_lines, branches, taken_branches) {
	lines_all[name] += lines
	lines_ran[name] += ran_lines
	branches_all[name] += branches
	branches_taken[name] += taken_branches
}

function add_all(key, lines, ran_lines, branches, taken_branches,    part) {
	split(key, part, SUBSEP)
	add(part[1], lines, ran_lines, branches, taken_branches)
	add(folder_of(part[1]), lines, ran_lines, branches, taken_branches)
	add("all", lines, ran_lines, branches, taken_branches)
	folders[folder_of(part[1])]
}

# Prints what nothing has run of the folder or file `uncovered`.
function print_uncovered(    key, part) {
	for (key in ran) {
		split(key, part, SUBSEP)
		if (!ran[key] && index(part[1], uncovered) == 1)
			printf "%s:%05d:%s\n", part[1], part[2], text[key] | "sort"
	}
	for (key in taken) {
		split(key, part, SUBSEP)
		if (!taken[key] && ran[part[1], part[2]] && index(part[1], uncovered) == 1)
			printf "%s:%05d: branch %d:%s\n", part[1], part[2], part[3], text[part[1], part[2]] | "sort"
	}
}

# Prints the table, and the files that are below the goal in the folders that are; returns how many folders these are.
function print_table(    folder, goal, nr, name) {
	print "| folder | lines | covered | branches | covered | |"
	print "|-|-:|-:|-:|-:|-|"
	fflush()
	for (folder in folders) {
		goal = goal_of(folder)
		if (below(folder, goal))
			missed[folder] = goal
		nr += below(folder, goal)
		print row(folder, below(folder, goal) ? sprintf("below %d/%d", goal_lines[goal], goal_branches[goal]) : "") | "sort"
	}
	close("sort")
	print row("all", "")
	fflush()
	for (name in lines_all)
		if (name ~ /\.[ch]$/ && folder_of(name) in missed && below(name, missed[folder_of(name)]))
			print row(name, "below") | "sort"
	close("sort")
	return nr
}

END {
	for (key in ran)
		add_all(key, 1, ran[key], 0, 0)
	for (key in taken)
		add_all(key, 0, 0, 1, taken[key])
	if (uncovered != "")
		print_uncovered()
	else if (!nr_goals || print_table())
		exit 1
}
