#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# pload behind the contract of judge --conformance: pload.sh OBJECT load|ioctl|pmu|link COOKIE.
# pload starts the command after -- once the program is attached, and ends with it.
pload=${PLOAD:-./pload}
case $2 in
load) exec "$pload" load "$1" ;;
esac
[ "$3" = 0 ] || set -- "$1" "$2" "$3" --cookie="$3"
exec 3>&1
exec "$pload" -a -e cpu-clock -F 999 --attach="$2" ${4:+"$4"} "$1" -- sh -c 'echo ready >&3; exec cat'
