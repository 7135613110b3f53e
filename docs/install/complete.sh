#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Prints what the last word of a command line of pload or attach-regress may become, one candidate
# on each line.
#
# It asks the program itself: commands and options are what --help prints, events what `pload list`
# prints, reasons what `pload explain` prints, and tests what `attach-regress -l` prints. Nothing
# here has to be changed with them. Where it prints nothing the shell completes names of files.
# usage: complete.sh PROGRAM [WORD...] WORD
program=$1
shift

commands() { "$program" --help 2>/dev/null | sed -n 's/^  pload \([a-z]*\) .*/\1/p'; }
# A command is the first word, if it is any.
command=''
[ $# -lt 2 ] || command=$(commands | grep -x -e "$1")
first=$([ $# -gt 1 ] || echo yes)
last='' before=''
for word; do
	before=$last
	last=$word
done
help() { "$program" ${command:+"$command"} --help 2>/dev/null; }

# Each option that --help prints, with its values if it lists them: "-e", "--core=user",
# "--core=kernel", "--prog=".
options() {
	help | awk '
		/^ +-|^[A-Z].*\(--/ {
			if (match($0, /^ +-[a-zA-Z],/))
				print "-" substr($0, RSTART + RLENGTH - 2, 1)
			if (!match($0, /--[a-z-]+/))
				next
			option = substr($0, RSTART, RLENGTH)
			rest = substr($0, RSTART + RLENGTH)
			if (rest !~ /^\[?=/) {
				print option
				next
			}
			if (rest ~ /^\[/)
				print option
			sub(/^\[?=/, "", rest)
			sub(/[]; )].*/, "", rest)
			if (rest ~ /^[A-Z[]/) {
				print option "="
				next
			}
			n = split(rest, values, "|")
			for (i = 1; i <= n; i++)
				print option "=" values[i]
		}'
}

events() {
	"$program" list 2>/dev/null | sed -n 's/^  \([^ ].*[^ ]\)  *\[.*/\1/p' | sed 's/ or /\n/g'
}
reasons() { "$program" explain 2>/dev/null | sed -n 's/^\([a-z-]*\/[^ ]*\) .*/\1/p'; }
tests() { "$program" -l 2>/dev/null | sed -n 's/^\([a-z_]*\)\(\.[^\t]*\)\t.*/\1\n\1\2/p'; }
after() { sed "s|^|$1|"; }

candidates() {
	case $last in
	--event=*) events | after --event= ;;
	--counter=*) events | after --counter= ;;
	--test=*) tests | after --test= ;;
	-*) options ;;
	*)
		case $before in
		-e | --event | --counter) events ;;
		-t) case $program in *regress*) tests ;; esac ;;
		*)
			case $command in
			'') [ -z "$first" ] || commands ;;
			explain) reasons ;;
			list) events ;;
			show) printf '%s\n' links progs events ;;
			probe) printf '%s\n' events features types helpers ;;
			esac
			;;
		esac
		;;
	esac
}

candidates | awk -v word="$last" 'index($0, word) == 1 && !seen[$0]++'
