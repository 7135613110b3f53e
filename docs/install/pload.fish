# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Completion of pload and attach-regress for fish: candidates come from complete.sh, and names of files from fish.
function __pload_candidates
    set -l words (commandline -opc) (commandline -ct)
    sh @DATADIR@/complete.sh $words
end
complete -c pload -a '(__pload_candidates)'
complete -c attach-regress -a '(__pload_candidates)'
