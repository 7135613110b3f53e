// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Messages: a line of valid JSON whatever the bytes, each type's text, a reader that went away. */
#include <errno.h>
#include <signal.h>
#include <unistd.h>


#include "test/unit/common/json_of.h"
#include "test/unit/common/output_check.h"
#include "test/unit/common/suite.h"
#include "test/unit/common/text_printers.h"
#include "loader/sessions/rows/rows_internal.h"

static struct json_object *parse(const char *json)
{
	struct json_object *msg = json_of(json);

	ck_assert_msg(msg, "%s", json);
	return msg;
}

static void expect_printed(const char *format, struct json_object *msg, const char *expected)
{
	struct error err = { 0 };
	struct printed p;

	printed_begin(&p, format);
	ck_assert_int_eq(output_message_as(&p.out, msg, text_printer(msg), &err), 0);
	ck_assert_str_eq(printed_text(&p), expected);
	printed_end(&p);
}

TEST(formats_have_names)
{
	struct error err = { 0 };

	ck_assert(output_format_find("text", &err)->digest);
	ck_assert(!output_format_find("json", &err)->digest);
	ck_assert_ptr_null(output_format_find("xml", &err));
	ck_assert_int_eq(err.code, -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.what, "'xml'"));
	ck_assert_ptr_nonnull(strstr(err.hint, "json"));
}

/* Before the first message or record, once, and not as text. */
TEST(version_comes_first)
{
	static const struct {
		const char *format, *first;
	} rows[] = {
		{ "json", "{\"type\":\"session\",\"version\":1}\n" }, { "text", "" },
	};

	for (size_t i = 0; i < NR(rows); i++) {
		char expected[128];
		struct error err = { 0 };
		struct printed p;

		printed_begin(&p, rows[i].format);
		p.out.version_due = true;
		for (int n = 0; n < 3; n++)
			ck_assert_int_eq(output_write(&p.out, "x\n", 2, &err), 0);
		snprintf(expected, sizeof(expected), "%sx\nx\nx\n", rows[i].first);
		ck_assert_str_eq(printed_text(&p), expected);
		printed_end(&p);

		printed_begin(&p, rows[i].format);
		p.out.version_due = true;
		ck_assert_int_eq(output_message_as(&p.out, message_new("session"), NULL, &err), 0);
		ck_assert_int_eq(strncmp(printed_text(&p), rows[i].first, strlen(rows[i].first)),
				 0);
		printed_end(&p);
	}
}

TEST(json_is_one_line_of_valid_utf8)
{
	static const struct {
		const char *bytes, *json;
	} rows[] = {
		{ "plain /x", "plain /x" },
		{ "\"\\\n\x1b\x01", "\\\"\\\\\\n\\u001b\\u0001" },
		{ "\x7f", "\\u007f" },
		{ "\u00e9\u20ac\U0001f600", "\u00e9\u20ac\U0001f600" },
		{ "\xff\xfe" "a", "\\u00ff\\u00fea" },
		{ "a\xc2\x9b" "31m", "a\\u009b31m" },
		{ "\x9b", "\\u009b" },
		{ "\u202e", "\\u202e" },
		{ "\xe2\x82", "\\u00e2\\u0082" },
		{ "\xc0\xaf\xed\xa0\x80", "\\u00c0\\u00af\\u00ed\\u00a0\\u0080" },
	};
	char expected[128];
	struct json_object *msg;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		msg = message_new("t");
		ck_assert(
			value_add(msg, rows[i].bytes,
				  value_string(VALUE_TEXT, rows[i].bytes, strlen(rows[i].bytes))));
		snprintf(expected, sizeof(expected), "{\"type\":\"t\",\"%s\":\"%s\"}\n",
			 rows[i].json, rows[i].json);
		expect_printed("json", msg, expected);
	}
}

/*
 * Every byte there is, in a value and in a name; a strict reader takes the line, and it holds no
 * control character.
 */
TEST(json_survives_all_bytes)
{
	struct json_object *msg = message_new("t");
	struct error err = { 0 };
	struct printed p;
	char bytes[256];

	for (int i = 1; i < 256; i++)
		bytes[i - 1] = i;
	bytes[255] = '\0';
	ck_assert(value_add(msg, bytes, value_string(VALUE_TEXT, bytes, 256)));
	printed_begin(&p, "json");
	ck_assert_int_eq(output_message_as(&p.out, msg, text_printer(msg), &err), 0);
	printed_text(&p);
	for (size_t i = 0; i + 1 < p.size; i++)
		ck_assert_int_ge((unsigned char)p.text[i], 0x20);
	ck_assert_msg(!json_parse(p.text, p.size - 1, &msg, &err), "%s", p.text);
	json_object_put(msg);
	printed_end(&p);
}

TEST(each_type_has_its_text)
{
	static const struct {
		const char *json, *text;
	} rows[] = {
		{ "{\"type\":\"record\",\"map\":\"events\",\"cpu\":3,\"value\":{\"pid\":7}}",
		  "events cpu 3: {.pid = 7}\n" },
		{ "{\"type\":\"record\",\"map\":\"ring\",\"value\":7,\"payload\":\"x\"}",
		  "ring: 7 payload \"x\"\n" },
		{ "{\"type\":\"record\",\"map\":\"ring\",\"payload\":\"x\"}",
		  "ring: payload \"x\"\n" },
		{ "{\"type\":\"test-run\",\"name\":\"xdp\",\"runs\":2,\"data_size\":60,\"retval\":"
		  "-1}", "xdp: 2 runs over 60 bytes, returned -1\n" },
		{ "{\"type\":\"map\",\"map\":\"m\",\"key\":{\"pid\":1},\"value\":"
		  "18446744073709551615}", "  {.pid = 1} = 18446744073709551615\n" },
		{ "{\"type\":\"map-skipped\",\"map\":\"q\",\"map_type\":\"queue\",\"why\":\"x\"}",
		  "q (queue): not shown: x\n" },
		{ "{\"type\":\"stack\",\"map\":\"s\",\"id\":9,\"ips\":[\"0x1\",{\"build_id\":"
		  "\"ab\",\"offset\":\"0x2\"}]}", "  9:\n      0x1\n      ab+0x2\n" },
		{ "{\"type\":\"data\",\"map\":\".bss\",\"value\":{\"a\":1,\"b\":[2]}}",
		  ".bss (data)\n  a = 1\n  b = {2}\n" },
		{ "{\"type\":\"summary\",\"attach\":\"link\",\"duration_ns\":2005000000,"
		  "\"programs\":[{\"name\":\"p\",\"events\":[\"cpu-clock\",\"faults\"],"
		  "\"run_cnt\":2,\"run_time_ns\":9,\"recursion_misses\":3,\"cookie\":255},"
		  "{\"name\":\"q\",\"run_cnt\":null,\"recursion_misses\":null}],\"records\":1,\"lost\":2,"
		  "\"rings\":[{\"map\":\"e\",\"cpu\":0,\"bytes\":8192},"
		  "{\"map\":\"e\",\"cpu\":1,\"bytes\":8192}],\"losses\":["
		  "{\"what\":\"records\",\"map\":\"e\",\"cpu\":1,\"count\":2},"
		  "{\"what\":\"updates\",\"map\":\"h\",\"counted_by\":\"full\",\"count\":null},"
		  "{\"what\":\"runs\",\"prog\":\"p\",\"count\":3},"
		  "{\"what\":\"throttled\",\"event\":\"cycles\",\"cpu\":0,\"unthrottled\":3,"
		  "\"count\":4}],"
		  "\"skipped_cpus\":[3,5]}",
		  "attached by link for 2.005 s\n  p on cpu-clock, faults: 2 runs, 4 ns each, "
		  "3 missed while a program was running on that CPU, cookie 0xff\n"
		  "  q: runs not counted\n  1 record, 2 lost; 2 rings of 16 kB\n"
		  "  lost: 2 records of map 'e' on CPU 1 (a ring was full)\n"
		  "  lost: an unknown number of updates of map 'h' (the map may have been full; counted by "
		  "the program in 'full')\n"
		  "  lost: 4 pauses of event 'cycles' on CPU 0 (throttled: more samples than "
		  "perf_event_max_sample_rate)\n"
		  "  CPUs left out, offline or refused: 3 5\n" },
		{ "{\"type\":\"summary\",\"attach\":null,\"programs\":[],\"records\":0,\"lost\":0,"
		  "\"skipped_cpus\":[]}", "" },
		{ "{\"type\":\"summary\",\"attach\":null,\"programs\":[],\"records\":3,\"lost\":null,"
		  "\"rings\":[{\"map\":\"r\",\"bytes\":8192}],\"losses\":[]}",
		  "  3 records, lost: unknown (the kernel does not count for "
		  "ring buffers); 1 ring of 8 kB\n" },
		{ "{\"type\":\"unheard-of\",\"x\":[true,null,1.5]}",
		  "{.type = \"unheard-of\", .x = {true, null, 1.5}}\n" },
		{ "{\"x\":1}", "{.x = 1}\n" },
		{ "{\"type\":\"record\",\"map\":\"a\\u001b[1m\",\"value\":1}", "a\\033[1m: 1\n" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		expect_printed("text", parse(rows[i].json), rows[i].text);
}

TEST(what_is_attached_has_its_text)
{
	static const struct {
		const char *json, *text;
	} rows[] = {
		{ "{\"type\":\"link\",\"id\":5,\"link_type\":\"BPF_LINK_TYPE_XDP\",\"prog_id\":34,"
		  "\"prog\":\"p\",\"where\":\"lo\",\"holders\":["
		  "{\"comm\":\"pload\",\"pid\":12,\"fd\":3},"
		  "{\"comm\":\"pload\",\"pid\":12,\"fd\":4},"
		  "{\"comm\":\"sh\",\"pid\":3,\"fd\":9}]}",
		  "     5 xdp            34 p                   lo                               "
		  "pload[12] sh[3]\n" },
		{ "{\"type\":\"link\",\"id\":6,\"link_type\":\"77\",\"prog_id\":34}",
		  "     6 77             34                     "
		  "(this kernel does not report it)\n" },
		{ "{\"type\":\"link-details\",\"id\":5,\"functions\":["
		  "{\"at\":\"do_x\",\"cookie\":7},{\"at\":\"do_y\",\"cookie\":255}],"
		  "\"holders\":[{\"comm\":\"sh\",\"pid\":3,\"fd\":9}],\"pins\":[\"/a\",\"/b\"],"
		  "\"maps\":[1],\"none\":[],\"where\":null}",
		  "link\n  id              5\n  functions       do_x cookie 0x7\n"
		  "                  do_y cookie 0xff\n  holders         sh[3] fd 9\n"
		  "  pins            /a\n                  /b\n  maps            1\n"
		  "  where           (this kernel does not report it)\n" },
		{ "{\"type\":\"unseen\",\"what\":\"links\",\"count\":3,\"why\":\"no right\"}",
		  "could not read: links (3): no right\n" },
		{ "{\"type\":\"unseen\",\"what\":\"descriptors\",\"pid\":7,\"comm\":\"sh\","
		  "\"why\":\"no right\"}", "could not read: descriptors, sh[7]:\n  no right\n" },
	};

	for (size_t i = 0; i < NR(rows); i++)
		expect_printed("text", parse(rows[i].json), rows[i].text);
}

/* Without a line of the source, the instruction and its text are the location. */
TEST(notes_have_a_location)
{
	static const struct {
		struct error_note note;
		const char *kind, *text;
	} rows[] = {
		{ { .insn = 7, .line = 10, .column = 5, .file = "a.c", .text = "odd",
		    .source = "*v += 1;" }, "error", "a.c:10:5: error: odd: *v += 1;" },
		{ { .insn = 7, .line = 10, .file = "a.c", .text = "odd" }, "note",
		  "a.c:10: note: odd" },
		{ { .insn = 7, .text = "odd", .source = "(95) exit" }, NULL,
		  "instruction 7: odd: (95) exit" },
		{ { .insn = 7, .text = "odd" }, "error", "error: odd" },
	};

	for (size_t i = 0; i < NR(rows); i++) {
		struct printed p;

		printed_begin(&p, "text");
		error_note_print(p.out.file, rows[i].kind, &rows[i].note);
		ck_assert_str_eq(printed_text(&p), rows[i].text);
		printed_end(&p);
	}
}

TEST(long_bytes_are_dumped)
{
	static const char expected[] =
		"m: 66 bytes\n"
		"  0000   00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|\n"
		"  *\n"
		"  0030   00 00 00 00 00 00 00 00  00 00 41 7e 7f 1b ff 20  |..........A~... |\n"
		"  0040   30 31                                             |01|\n";
	unsigned char bytes[66] = { 0 };
	struct json_object *msg = message_new("record");

	memcpy(bytes + 58, "A~\x7f\x1b\xff 01", 8);
	ck_assert(value_add(msg, "map", json_object_new_string("m")));
	ck_assert(value_add(msg, "value", value_hex((struct bytes){ bytes, sizeof(bytes) })));
	expect_printed("text", msg, expected);
}

/* A star for each run of equal lines; the last line is always shown. Each letter is a line. */
TEST(each_run_of_equal_lines_has_a_star)
{
	static const struct {
		const char *lines, *shown;
	} rows[] = {
		{ "aab", "a*b" }, { "aaab", "a*b" }, { "aaabbbc", "a*b*c" }, { "aaabbbccc", "a*b*c*c" },
		{ "abababb", "abababb" }, { "aaaa", "a*a" }, { "aabbb", "a*b*b" },
	};

	for (int i = 0; i < NR(rows); i++) {
		const size_t nr = strlen(rows[i].lines);
		struct json_object *msg = message_new("record");
		unsigned char bytes[16 * 16];
		char shown[16] = "";
		struct printed p;
		size_t n = 0;

		for (size_t k = 0; k < nr; k++)
			memset(bytes + 16 * k, rows[i].lines[k], 16);
		value_add(msg, "map", json_object_new_string("m"));
		value_add(msg, "value", value_hex((struct bytes){ bytes, 16 * nr }));
		printed_begin(&p, "text");
		ck_assert_int_eq(output_message_as(&p.out, msg, text_printer(msg), NULL), 0);
		for (const char *line = strchr(printed_text(&p), '\n'); line && line[1];
		     line = strchr(line + 1, '\n'))
			shown[n++] = line[3] == '*' ? '*' : line[strcspn(line, "|") + 1];
		printed_end(&p);
		ck_assert_msg(!strcmp(shown, rows[i].shown), "%s: %s", rows[i].lines, shown);
	}
}

static struct json_object *per_cpu_message(const char *const *values, const char *sum)
{
	struct json_object *msg = message_new("map"), *list = value_per_cpu(), *entry;

	for (int i = 0; values[i]; i++) {
		entry = json_object_new_object();
		ck_assert(value_add(entry, "cpu", json_object_new_int(i)));
		ck_assert(value_add(entry, "value", parse(values[i])));
		ck_assert(value_append(list, entry));
	}
	ck_assert(value_add(msg, "key", json_object_new_int(1)));
	if (sum)
		ck_assert(value_add(msg, "sum", parse(sum)));
	ck_assert(value_add(msg, "value", list));
	return msg;
}

static const struct {
	const char *values[4], *sum, *text;
} per_cpu[] = {
	{ { "3", "0", "4" }, "7", "  1 = 7 (cpu 0: 3, cpu 2: 4)\n" },
	{ { "0", "0" }, "0", "  1 = 0\n" },
	{ { "{\"a\":1,\"b\":[0]}", "{\"a\":0,\"b\":[0]}", "{\"a\":0,\"b\":[2]}" },
	  "{\"a\":1,\"b\":[2]}",
	  "  1 = {.a = 1, .b = {2}} (cpu 0: {.a = 1, .b = {0}}, cpu 2: {.a = 0, .b = {2}})\n" },
	{ { "{\"a\":1.5,\"s\":\"\"}", "{\"a\":0.0,\"s\":\"\"}", "{\"a\":0.0,\"s\":\"x\"}" },
	  NULL, "  1 = {cpu 0: {.a = 1.5, .s = \"\"}, cpu 1: {.a = 0.0, .s = \"\"}, "
		"cpu 2: {.a = 0.0, .s = \"x\"}}\n" },
	{ { "{\"a\":0.0,\"s\":\"0x0\",\"b\":false}", "{\"a\":0.0,\"s\":\"0x1\",\"b\":false}",
	    "{\"a\":0.0,\"s\":\"0x0\",\"b\":true}" },
	  "0", "  1 = 0 (cpu 1: {.a = 0.0, .s = \"0x1\", .b = false}, "
	       "cpu 2: {.a = 0.0, .s = \"0x0\", .b = true})\n" },
};

TEST_ROWS(the_sum_comes_before_the_cpus, per_cpu)
{
	expect_printed("text", per_cpu_message(per_cpu[_i].values, per_cpu[_i].sum),
		       per_cpu[_i].text);
}

#define BAR "                slot 1            2 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|\n"

static const struct {
	const char *values[3], *sum, *text;
} per_cpu_bars[] = {
	{ { "{\"slots\":[0,1],\"n\":3}", "{\"slots\":[0,1],\"n\":4}" },
	  "{\"slots\":[0,2],\"n\":7}", "  1 = {.n = 7}\n" BAR },
	{ { "{\"slots\":[0,1]}", "{\"slots\":[0,1]}" }, "{\"slots\":[0,2]}", "  1\n" BAR },
	{ { "{\"slots\":[0,1],\"s\":\"a\"}", "{\"slots\":[0,1],\"s\":\"b\"}" }, NULL,
	  "  1 = {cpu 0: {.slots = {0, 1}, .s = \"a\"}, cpu 1: {.slots = {0, 1}, .s = \"b\"}}\n" BAR },
};

TEST_ROWS(bars_are_of_all_cpus, per_cpu_bars)
{
	struct json_object *msg = per_cpu_message(per_cpu_bars[_i].values, per_cpu_bars[_i].sum);

	ck_assert(value_add(msg, "histogram",
			    parse("{\"member\":\"slots\",\"scale\":\"slots\","
				  "\"slots\":[{\"slot\":1,\"count\":2}]}")));
	expect_printed("text", msg, per_cpu_bars[_i].text);
}

static const struct {
	const char *sum, *value, *result;	/* NULL: they have none */
} sums[] = {
	{ "3", "4", "7" },
	{ "-3", "1", "-2" },
	{ "1", "-3", "-2" },
	{ "9223372036854775807", "2", "9223372036854775809" },
	{ "18446744073709551615", "-1", "-2" },
	{ "1.5", "0.25", "1.75" },
	{ "{\"a\":1,\"s\":\"x\"}", "{\"a\":2,\"s\":\"x\"}", "{\"a\":3,\"s\":\"x\"}" },
	{ "{\"a\":1,\"s\":\"x\"}", "{\"a\":2,\"s\":\"y\"}", NULL },
	{ "{\"a\":1}", "{\"b\":2}", NULL },
	{ "[1,[2,3]]", "[10,[20,30]]", "[11,[22,33]]" },
	{ "[1]", "[1,2]", NULL },
	{ "1", "\"1\"", NULL },
};

TEST_ROWS(numbers_of_cpus_are_added, sums)
{
	struct json_object *sum = parse(sums[_i].sum), *value = parse(sums[_i].value);

	ck_assert_int_eq(value_sum_add(sum, value), !!sums[_i].result);
	if (sums[_i].result)
		ck_assert_str_eq(json_object_to_json_string(sum),
				 sums[_i].result);
	json_object_put(sum);
	json_object_put(value);
}

static const struct {
	const char *value;
	bool is_zero;
} zeros[] = {
	{ "0", true }, { "1", false }, { "0.0", true }, { "0.5", false }, { "\"\"", true }, { "\"0x0\"", true },
	{ "\"0x1\"", false }, { "[]", true }, { "[0,0]", true }, { "[1,0]", false }, { "[0,1,0]", false },
	{ "[0,0,1]", false }, { "{\"a\":0,\"b\":0}", true }, { "{\"a\":0,\"b\":1}", false },
	{ "{\"a\":1,\"b\":0}", false }, { "true", false }, { "false", true },
};

TEST_ROWS(values_of_zeros_only, zeros)
{
	struct json_object *value = parse(zeros[_i].value);

	ck_assert_msg(value_is_zero(value) == zeros[_i].is_zero, "%s", zeros[_i].value);
	json_object_put(value);
}

TEST(what_is_pinned_has_its_directory)
{
	struct json_object *msg = message_new("pinned");

	ck_assert(value_add(msg, "dir", json_object_new_string("/sys/fs/bpf/x")) &&
		  value_add(msg, "links", json_object_new_int(2)) &&
		  value_add(msg, "programs", json_object_new_int(1)) &&
		  value_add(msg, "maps", json_object_new_int(0)));
	expect_printed("text", msg, "pinned in /sys/fs/bpf/x: 2 links, 1 program, 0 maps\n");
}

TEST(no_message_is_no_memory)
{
	struct error err = { 0 };
	struct printed p;

	printed_begin(&p, "json");
	ck_assert_int_eq(output_message_as(&p.out, NULL, NULL, &err), -ENOMEM);
	printed_end(&p);
}

TEST(a_closed_pipe_is_epipe)
{
	struct error err = { 0 };
	struct output out = { .format = output_format_find("json", &err) };
	int fds[2], ret = 0;

	signal(SIGPIPE, SIG_IGN);
	ck_assert_int_eq(pipe(fds), 0);
	close(fds[0]);
	out.file = fdopen(fds[1], "w");
	ck_assert_int_eq(output_message_as(&out, message_new("t"), NULL, &err), 0);	/* in the buffer */
	ck_assert_int_eq(output_flush(&out, &err), -EPIPE);
	ck_assert_int_eq(err.code, -EPIPE);
	ck_assert_str_eq(err.where, "output");
	ck_assert(output_has_no_reader(&err));
	error_clear(&err);
	for (int i = 0; i < 10000 && !ret; i++)		/* and once the buffer is full, at once */
		ret = output_message_as(&out, message_new("t"), NULL, &err);
	ck_assert_int_eq(ret, -EPIPE);
	error_clear(&err);
	fclose(out.file);
}

TEST(a_full_disk_is_an_error)
{
	struct error err = { 0 };
	struct output out = { .format = output_format_find("text", &err),
			      .file = fopen("/dev/full", "w") };

	if (!out.file)
		suite_skip("no /dev/full");
	ck_assert_int_eq(output_message_as(&out, message_new("t"), NULL, &err), 0);
	ck_assert_int_eq(output_flush(&out, &err), -ENOSPC);
	ck_assert(!output_has_no_reader(&err));
	error_clear(&err);
	fclose(out.file);
}

/* The errno of an earlier call is not taken for the cause of this failure. */
TEST(an_old_errno_is_no_cause)
{
	struct error err = { 0 };
	struct output out = { .format = output_format_find("text", &err),
			      .file = fopen("/dev/null", "r") };

	putc('x', out.file);
	errno = EDOM;
	ck_assert_int_eq(output_flush(&out, &err), -EIO);
	error_clear(&err);
	fclose(out.file);
}

static ssize_t fail_with(void *code, const char *buf, size_t size)
{
	(void)buf;
	(void)size;
	errno = *(const int *)code;
	return 0;
}

/* The same errno of another call is explained by that call, and is no closed pipe. */
TEST(a_reader_is_blamed_for_writes_only)
{
	int code = EINTR;
	struct error err = { 0 };
	struct output out = { .format = output_format_find("text", &err) };

	out.file = fopencookie(&code, "w", (cookie_io_functions_t){ .write = fail_with });
	ck_assert_ptr_nonnull(out.file);
	ck_assert_int_eq(output_message_as(&out, message_new("t"), NULL, &err), 0);
	ck_assert_int_eq(output_flush(&out, &err), -EINTR);
	ck_assert_ptr_nonnull(strstr(err.hint, "the reader of standard output stopped reading"));
	ck_assert(!output_has_no_reader(&err));
	error_set(&err, EPIPE, "process 12 has exited without a report");
	ck_assert(!output_has_no_reader(&err));
	error_reason(&err, "compare/no-answer");
	ck_assert(!output_has_no_reader(&err));
	error_clear(&err);
	code = EPIPE;
	fclose(out.file);
}
