#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Prints what the last word of a command line of pload or attach-regress may become, one candidate
# on each line.
#
# It asks the program itself: commands, options and their values are what --help prints, events what
# `pload list "*"` prints, reasons what `pload explain` prints, and tests what `attach-regress -l`
# prints. Nothing here has to be changed with them. Where it prints nothing the shell completes names
# of files.
# usage: complete.sh PROGRAM [WORD...] WORD
program=$1
shift

commands() { "$program" --help 2>/dev/null | sed -n 's/^  pload \([a-z]*\) .*/\1/p'; }
# A command is the first word, if it is any.
command=''
[ $# -lt 2 ] || command=$(commands | grep -x -e "$1")
first=$([ $# -gt 1 ] || echo yes)
topic=$([ $# -ne 2 ] || [ "$1" != help ] || echo yes)
last='' before='' attr=''
for word; do
	[ "$last" != -- ] || exit 0	# the words of another program
	before=$last
	last=$word
	[ "$word" != --attr ] || attr=yes
done
# Of pload itself, --help prints a dozen options; attach-regress knows no --help=all.
help() { "$program" ${command:+"$command"} --help=all 2>/dev/null || "$program" --help 2>/dev/null; }

# Each option that --help prints, with its values if it lists them: "-e", "--core=user",
# "--core=kernel", "--prog=".
options() {
	help | awk '
		/^ +-/ {
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
			sub(/[]; ,)].*/, "", rest)
			if (rest ~ /^[A-Z[]/) {
				print option "="
				next
			}
			n = split(rest, values, "|")
			for (i = 1; i <= n; i++)
				print option "=" values[i]
		}'
}
# The values of an option that is a word of its own.
values_of() { options | sed -n "s/^$1=\(.\)/\1/p"; }

# The first part of a subcommand's usage line, "[links|progs|events]", is words to choose from.
arguments() { help | sed -n '1s/^[^[]*\[options] \[\([a-z|]*\)[] ].*/\1/p' | tr '|' '\n'; }

events() {
	"$program" list '*' 2>/dev/null | sed -n 's/^  \([^ ].*[^ ]\)  *\[.*/\1/p' | sed 's/: .*//; s/, times .*//; s/ or /\n/g'
}
# events_after TEXT - the last of the events in TEXT: "cycles,", "{cycles,", "cycles,or=", "MAP:".
events_after() {
	case $1 in
	*[,\{]or=* | *,*=*) set -- "${1%"${1##*=}"}" ;;
	*) set -- "${1%"${1##*[,\{]}"}" ;;
	esac
	events | after "$1"
}
reasons() { "$program" explain 2>/dev/null | sed -n 's/^\([a-z-]*\/[^ ]*\) .*/\1/p'; }
attrs() { "$program" explain --attr 2>/dev/null | sed 's/ .*//'; }
tests() { "$program" -l 2>/dev/null | sed -n 's/^\([a-z_]*\)\(\.[^\t]*\)\t.*/\1\n\1\2/p'; }
after() { awk -v before="$1" '{ print before $0 }'; }

candidates() {
	case $last in
	--event=* | --counter=*) events_after "${last#*=}" | after "${last%%=*}=" ;;
	--test=*) tests | after --test= ;;
	-*) options ;;
	*)
		case $before in
		-e | --event | --counter) events_after "$last" ;;
		-t) case $program in *regress*) tests ;; esac ;;
		--attr) attrs ;;
		--[a-z]*) values_of "$before" ;;
		*)
			if [ "$first" ]; then
				commands
				echo help
			elif [ "$topic" ]; then
				commands
			fi
			case $command in
			explain) if [ "$attr" ]; then attrs; else reasons; fi ;;
			list) events ;;
			detach) echo all ;;
			?*) arguments ;;
			esac
			;;
		esac
		;;
	esac
}

candidates | awk -v word="$last" 'index($0, word) == 1 && !seen[$0]++'
