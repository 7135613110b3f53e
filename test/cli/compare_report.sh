#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# pload compare: its reports of documents, hostile ones too; and that every chapter to which a report refers exists.
# Lane: free
. test/cli/lib.sh

# cell OPEN BIND COOKIE NS EVENT
cell() {
	printf '{"cell":"%s+%s","open":"%s","bind":"%s","outcome":"fires","error":null,' "$1" "$2" "$1" "$2"
	printf '"runs":{"units":3,"unit":"works","own":3,"others":0,"by":"map"},"cookie":{"given":"0x7","seen":"%s"},' "$3"
	printf '"calls":[{"step":"bind","call":"%s","text":"x","args":"event, 7","result":"= 0"}],' "$2"
	printf '"attach":"%s",' "$2"
	printf '"times":{"bind":{"median_ns":%s,"p99_ns":%s}}}' "$4" "$4"
}
# document RELEASE COOKIE - of one event, whose name is hostile.
document() {
	printf '{"type":"compare","version":1,"kernel":{"release":"%s","machine":"m"},"cpus":2,"privileged":true,' "$1"
	printf '"events":[{"event":"<script>alert(1)</script>\\u001b[31m\\"","kind":"counted","type":"software",'
	printf '"program":"built-in","cells":[%s,%s],' "$(cell type ioctl 0x0 200)" "$(cell type link "$2" 900)"
	printf '"sections":[{"id":"s","title":"what there is","rows":[{"id":"r","what":"one that nobody knows","cells":'
	printf '{"type+ioctl":{"answer":"here"},"type+link":{"answer":"there"}}}]}]}]}\n'
}
document 6.1.0 0x7 >"$tmp/now"
document 5.15.0 0x8 >"$tmp/then"

run compare --from="$tmp/now"
is 'text: status' "$status" 0
is 'text: 100 columns' "$(awk 'length > 100' "$tmp/out")" ''
is 'text: nothing that a terminal obeys' "$(tr -d '\n -~' <"$tmp/out")" ''
has 'text: the outcome is in the first lines' "$tmp/out" '2 of 2 cells fire'
has 'text: what differs has its reason' "$tmp/out" '[differs/cookie]'
has 'text: or has none' "$tmp/out" 'Unexplained: no explanation fits these answers.'
has 'text: how many have none' "$tmp/out" '1 of them unexplained'

sed 's/"cpus":2,"privileged":true/"cpus":4096,"rounds":3,"interrupted":true/; s/6\.1\.0/6.1.0-a-name-that-somebody-gave-his-kernel/' \
	"$tmp/now" >"$tmp/long"
run compare --from="$tmp/long"
is 'text: 100 columns, whatever stands on top' "$(awk 'length > 100' "$tmp/out")" ''
has 'text: whether it was privileged' "$tmp/out" 'not privileged'

run compare --from="$tmp/now" --format=json
is 'json: it is JSON' "$("$JSON" compare differences.0.explained <"$tmp/out")" differs/cookie
cp "$tmp/out" "$tmp/again"
run compare --from="$tmp/again" --format=json
is 'json: read again it is the same' "$(cmp "$tmp/out" "$tmp/again")" ''

run compare --from="$tmp/now" --format=html
is 'html: status' "$status" 0
is 'html: nothing is loaded' "$(grep -oE 'https?:| src=|url\(|@import|<link|<iframe|innerHTML' "$tmp/out")" ''
has 'html: names are escaped' "$tmp/out" '"event":"\u003cscript>alert(1)\u003c/script>\u001b[31m\""'
sed -n '/id="data">$/{n;s/<\/script>$//p;}' "$tmp/out" >"$tmp/data"
cp "$tmp/out" "$tmp/page.html"
# The reader of messages wants their type.
sed 's/^{/{"type":"data",/' "$tmp/data" >"$tmp/typed"
is 'html: the whole document' "$("$JSON" data document <"$tmp/typed")" "$("$JSON" compare '' <"$tmp/again")"
is 'html: an explanation' "$("$JSON" data differences.0.code <"$tmp/typed")" differs/cookie
is 'html: and its chapter' "$("$JSON" data chapters.0.code <"$tmp/typed")" differs/cookie
browser=$(browser)
if [ -n "$browser" ]; then
	rendered "$browser" "$tmp/page.html" >"$tmp/dom"
	has 'html: rendered: names are text' "$tmp/dom" '&lt;script&gt;alert(1)&lt;/script&gt;\u001b[31m"</h2>'
	has 'html: rendered: a link to the chapter' "$tmp/dom" 'href="#why-differs-cookie"'
	has 'html: rendered: the chapter' "$tmp/dom" 'id="why-differs-cookie"'
	has 'html: rendered: bars' "$tmp/dom" '<i class="k1" style="width: 100%;">'
	has 'html: rendered: no explanation' "$tmp/dom" 'no explanation fits these answers.'
	has 'html: rendered: the verdict' "$tmp/dom" '<p>take --attach=link: '
	# As on a phone, although a window has at least 500 pixels: what is beyond the right edge, and the rows that can be seen
	# before and after a click.
	cat >"$tmp/click" <<-'END'
		<script>
		const seen = () => [...document.querySelectorAll(".rows tbody tr")].filter((tr) => tr.offsetHeight).length;
		Object.assign(document.body.style, { width: "390px", margin: "0" });
		const right = Math.max(...[...document.querySelectorAll(".rows th, .rows td")].map(
		  (cell) => cell.getBoundingClientRect().right));
		const found = [innerWidth < 640, right <= 390, seen()];
		document.getElementById("only").click();
		document.title = [...found, seen(), document.querySelectorAll(".rows tbody tr").length].join(" ");
		</script>
	END
	cat "$tmp/page.html" "$tmp/click" >"$tmp/phone.html"
	rendered "$browser" "$tmp/phone.html" --hide-scrollbars --window-size=390,800 >"$tmp/dom"
	is 'html: on a phone: all columns are there, and a click shows the rows that do not differ' \
		"$(sed -n 's/.*<title>\(.*\)<\/title>.*/\1/p' "$tmp/dom")" 'true true 3 5 5'
else
	skip 'html: rendered' 'there is no chromium'
fi

run compare --from="$tmp/now" --against="$tmp/now"
has 'against itself: nothing' "$tmp/out" '    nothing'
run compare --from="$tmp/now" --against="$tmp/then"
is 'against: status' "$status" 0
has 'against: which kernel that was' "$tmp/out" 'changed since Linux 5.15.0'
has 'against: what has changed' "$tmp/out" 'type+link: as given, was 0x8'
run compare --from="$tmp/now" --against="$tmp/then" --format=json
is 'against: JSON says the same' "$("$JSON" compare against.changes.0.then <"$tmp/out")" 0x8
is 'against: and no more' "$("$JSON" compare against.changes.1 <"$tmp/out")" null
run compare --from="$tmp/now" --against="$tmp/then" --format=html
has 'against: the page, too' "$tmp/out" '"against":{"kernel":{"release":"5.15.0"'

# broken NAME REASON - the file $tmp/broken is refused by --from and by --against, in one line.
broken() {
	refused "$1: --from" 1 "$tmp/broken" compare --from="$tmp/broken"
	has "$1: why" "$tmp/err" "[$2]"
	refused "$1: --against" 1 "$tmp/broken" compare --from="$tmp/now" --against="$tmp/broken"
}
: >"$tmp/broken"
broken 'an empty file' report/not-json
head -c 300 "$tmp/now" >"$tmp/broken"
broken 'a file that was cut off' report/not-json
cat "$tmp/now" "$tmp/now" >"$tmp/broken"
broken 'two documents' report/not-json
echo '{"type":"summary"}' >"$tmp/broken"
broken 'another message' report/other
sed 's/"version":1/"version":2/' "$tmp/now" >"$tmp/broken"
broken 'a newer document' report/newer
head -c 4000 /bin/sh >"$tmp/broken"
broken 'a program' report/not-json
i=0 && while [ $i -lt 100 ]; do printf '[{"a":' && i=$((i + 1)); done >"$tmp/broken"
broken 'what is too deep' report/not-json
rm "$tmp/broken"
broken 'no file' report/file
mkdir "$tmp/broken"
broken 'a directory' report/file
# Whatever member is missing or something else, there is a report or one error.
for change in 's/"events":\[.*\]/"events":[7,null,{}]/' 's/"cells":\[/"cells":[null,{"cell":7},/' 's/"kernel":{[^}]*}/"kernel":7/' \
	's/"median_ns":[0-9]*/"median_ns":-1/g' 's/"answer":"[a-z]*"/"answer":{}/g' 's/"calls":\[/"calls":[[],{"step":7},/' \
	's/"step":"bind"/"step":"close"/g' 's/"args":"[^"]*"/"args":"((\\""/g' 's/"rows":\[/"rows":[1,[],/' 's/"id":"[a-z]*"/"id":null/g'; do
	sed "$change" "$tmp/now" >"$tmp/odd"
	for format in text json html; do
		run compare --from="$tmp/odd" --against="$tmp/now" --format=$format
		is "odd: $change as $format" "$status $(grep -c . "$tmp/err")" '0 0'
	done
done
refused 'a format that there is none of' 2 "'xml'" compare --format=xml

# --- the chapters ---

grep -ohE '"pload-[a-z]+\(7\), [^"]+"' loader/compare/report/*/*.c loader/compare/report/*.c | tr -d '"' | sort -u >"$tmp/chapters"
is 'there are chapters' "$([ "$(wc -l <"$tmp/chapters")" -ge 10 ] && echo so)" so
while read -r page chapter; do
	page=${page#pload-}
	is "chapter '$chapter' of $page" "$(grep -cxE -- "##+ $chapter" "docs/${page%(7),}.md")" 1
done <"$tmp/chapters"
is 'every page of a difference is of one that is looked for' \
	"$(sed -n 's/^## \(.*\)/"\1"/p' docs/reasons/differs.md | sort)" \
	"$(grep -ohE '"differs/[a-z-]+"' loader/compare/report/*/*.c loader/compare/report/*.c | sort -u)"

# --- this kernel ---

why=$(kernel_refuses)
if [ -n "$why" ]; then
	skip 'the report of this kernel' "$why"
else
	run compare --rounds=3 -e cpu-clock -e page-faults
	is 'this kernel: status' "$status" 0
	is 'this kernel: 100 columns' "$(awk 'length > 100' "$tmp/out")" ''
	has 'this kernel: it begins with the answer' "$tmp/out" 'take --attach='
	is 'this kernel: one line of counts, above and below' "$(grep -c 'cells fire; ' "$tmp/out")" 2
	run compare --rounds=3 -v -e cpu-clock
	is 'this kernel: all rows: 100 columns' "$(awk 'length > 100' "$tmp/out")" ''
	has 'this kernel: all rows: one in which all cells agree' "$tmp/out" 'the event was never enabled'
	is 'this kernel: nothing but the report' "$(cat "$tmp/err")" ''
fi
done_testing
