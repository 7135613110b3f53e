#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The book: Sphinx builds it without a warning, its links lead somewhere, its words are spelled as a dictionary has them, and each console
# block of README.md and docs/ prints what it shows.
# Lane: free
# shellcheck source=test/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

site=${O:-build}/book-checked
if ! command -v sphinx-build >/dev/null 2>&1 || ! /usr/bin/python3 -c 'import furo, myst_parser' 2>/dev/null; then
	skip 'the book' 'Sphinx, MyST or furo is not installed'
elif sphinx-build -W --keep-going -q -b html -c docs/book docs "$site" >"$tmp/sphinx" 2>&1; then
	ok 'Sphinx builds the book without a warning'
	if command -v linkchecker >/dev/null 2>&1; then
		linkchecker --no-status "$site/index.html" >"$tmp/links" 2>&1
		status=$?
		is 'every link of the book leads somewhere' "$status$(grep '^URL  \|^Parent' "$tmp/links")" 0
		has 'its links were followed' "$tmp/links" ' links in '
	else
		skip 'every link of the book leads somewhere' 'linkchecker is not installed'
	fi
	# shellcheck disable=SC2046 # names of pages have no blanks
	is 'no page asks the network for anything' \
		"$(grep -ohE '(src|href)="https?://[^"]*\.(js|css|woff2?|png|svg)"' $(find "$site" -name '*.html') | sort -u)" ''
	is 'no style or script asks for what the site does not have' \
		"$(grep -lE '^@import url\((/|http)|^import ' "$site"/_static/*/*.css "$site"/_static/*/*.js)" ''
	# Tags of the highlighted code are between its words.
	sed 's/<[^>]*>//g' "$site/book/instruction.html" >"$tmp/page"
	has 'a quoted function: its file' "$tmp/page" 'docs/tour/raw.c, line '
	has 'a quoted function: its code' "$tmp/page" 'static int load_prog(int map_fd)'
else
	not_ok 'Sphinx builds the book without a warning' "$(head -n 5 "$tmp/sphinx")"
fi

is 'no page links to a page outside of docs/, which newer versions of MyST miss' \
	"$(grep -nE '\]\(\.\./[^)]*\.md[)#]' docs/*.md; grep -nE '\]\(\.\./\.\./[^)]*\.md[)#]' docs/*/*.md)" ''

is 'each page is named once in docs/index.md' "$({
	find docs -name '*.md' ! -path docs/index.md ! -path 'docs/reasons/[a-z]*' ! -path 'docs/loading/[a-z]*' ! -path 'docs/install/*' |
		sed 's|^docs/||'
	sed -n 's/^- \[[^]]*\](\([^)]*\)).*/\1/p' docs/index.md
} | LC_ALL=C sort | uniq -c | grep -v '^ *2 ')" ''

is 'README has at most 80 lines' "$(awk 'END { print NR <= 80 }' README.md)" 1

is 'each page begins with its license and a sentence on its purpose' "$(find ./*.md progs docs -name '*.md' ! -path 'docs/reasons/*' |
	while read -r page; do
		sed -n 2p "$page" | grep -qE '^<!-- [A-Zp].*\. -->$' && sed -n 1p "$page" | grep -q 'SPDX-License-Identifier' || echo "$page"
	done)" ''
is 'each finding ends with a report, or says that none is needed' "$(awk '
	/^## / { if (title && !report) print title; title = $0; report = $0 == "## What is not tested" }
	/^\*\*Report\.\*\*/ || /\*\*Report:\*\* not needed/ { report = 1 }
	END { if (title && !report) print title }' docs/findings.md)" ''

if command -v codespell >/dev/null 2>&1; then
	is 'codespell knows the words' "$(codespell -I test/book/words README.md CONTRIBUTING.md SECURITY.md CHANGELOG.md $(find docs -name '*.md') 2>&1)" ''
else
	skip 'codespell knows the words' 'codespell is not installed'
fi

# Each chapter but the last, which is a run, has the same parts.
# lacking PART TEXT - the chapters that do not have it.
lacking() { grep -l '^# [0-9]*\. ' docs/book/*.md | grep -v '/way\.md$' | xargs grep -L -e "$2" | sed "s|^|no $1: |"; }
is 'each chapter has its parts' "$(
	lacking problem '^\*\*The problem\.\*\*'
	lacking 'kernel function' '^## Why the kernel'
	lacking code '^```{function}'
	lacking run '^## A run'
	lacking 'run that is compared' '^```console'
	lacking mistakes '^## What can go wrong'
	lacking reasons '](\.\./reasons/'
	lacking 'what pload does beyond' '^## Beyond this'
	lacking 'third exercise' '^3\. ')" ''

# The commit messages of docs/upstream/ name the tests of their facts.
ids=$(sed -n 's/^Test: //p' docs/upstream/*.patch | tr ' ' '\n' | sort -u)
is 'docs/upstream: patches name tests' "$([ "$(echo "$ids" | wc -l)" -ge 50 ] && echo so)" so
is 'docs/upstream: each test that is named exists' "$(echo "$ids" | while read -r id; do
	grep -q "^$id	[^-]" test/regress/suite.ids || echo "$id"
done)" ''

# The blocks are run by `make book-check`, where programs can be loaded.
if [ -z "${BLOCKS:-}" ]; then
	skip 'console blocks' 'make book-check runs them'
elif ! command -v python3 >/dev/null 2>&1; then
	skip 'console blocks' 'python3 is not installed'
elif cause=$(kernel_refuses) && [ -n "$cause" ]; then
	skip 'console blocks' "this machine cannot run them: $cause"
elif [ "$PROGS" != build/progs ] || [ "$PLOAD" != ./pload ]; then
	skip 'console blocks' "they are written for ./pload and build/progs"
else
	# shellcheck disable=SC2046 # likewise
	python3 test/book/run_blocks.py README.md $(find docs -name '*.md' | LC_ALL=C sort) >"$tmp/blocks"
	while IFS= read -r line; do
		case $line in
		'ok '*) tests=$((tests + 1)); echo "ok $tests - ${line#* - }" ;;
		'not ok '*) tests=$((tests + 1)); echo "not ok $tests - ${line#* - }" ;;
		1..*) ;;
		*) echo "$line" ;;
		esac
	done <"$tmp/blocks"
fi
done_testing
