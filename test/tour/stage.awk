# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Prints the first stages of docs/tour/loader.c, up to the one that -v stage= names: a program of its own.
/^\/\* ---- / { of = $3 == "Stage" ? $4 + 0 : 0 }
# A line of main() names its stage at its end.
{ line = of }
match($0, /\/\* stage [0-9]+ \*\/$/) { line = substr($0, RSTART + 9) + 0 }
line <= stage
