# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Completion of pload and attach-regress for bash: candidates come from complete.sh.
_pload() {
	local line=${COMP_LINE:0:COMP_POINT} words cut
	read -ra words <<<"$line"
	[[ $line == *[[:space:]] ]] && words+=('')
	mapfile -t COMPREPLY < <(sh @DATADIR@/complete.sh "${words[@]}")
	# bash replaces only what follows the last of its word breaks, which ':' and '=' are.
	cut=${words[-1]}
	cut=${cut%"${cut##*[:=]}"}
	COMPREPLY=("${COMPREPLY[@]#"$cut"}")
	[[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
	return 0
}
complete -o default -F _pload pload attach-regress
