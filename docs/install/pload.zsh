#compdef pload attach-regress
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Completion of pload and attach-regress for zsh: candidates come from complete.sh.
local -a candidates open
candidates=(${(f)"$(sh @DATADIR@/complete.sh ${(Q)words[1,CURRENT]})"})
open=(${(M)candidates:#*=})
candidates=(${candidates:#*=})
compadd -a candidates
compadd -S '' -a open
(( $#candidates + $#open )) || _files
