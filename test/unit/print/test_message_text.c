// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The text of each message type with and without its optional members, and with colours. */

#include "test/unit/common/json_of.h"
#include "test/unit/common/output_check.h"
#include "test/unit/common/suite.h"
#include "test/unit/common/text_printers.h"

/*
 * JSON, in which json-c accepts ' for ". A member that may exceed 32 bits has a number that does.
 */
#define COUNTERS \
	"             value             scaled   share  enabled ms  running ms  event\n"

static const struct row {
	const char *json, *text;
} plain[] = {
	/* pload show */
	{ "{'type':'events-begin'}",
	  " event type           program                where                        "
	  "    held by\n" },
	{ "{'type':'event','fd_type':'BPF_FD_TYPE_KPROBE','prog_id':34,'prog':'p',"
	  "'where':'do_x','offset':'0x10','comm':'sh','pid':12}",
	  "     - kprobe         34 p                   do_x+0x10                    "
	  "    sh[12]\n" },
	{ "{'type':'event','fd_type':'77','prog_id':4294967297,"
	  "'where':'do_a_name_that_is_longer_than_its_column','offset':'0x0',"
	  "'comm':'a_command_of_25_characters','pid':1234567}",
	  "     - 77             4294967297             "
	  "do_a_name_that_is_longer_than... a_command_of_25_cha...\n" },
	{ "{'type':'event','prog_id':3,'prog':'a_name_that_is_longer_than_22','comm':'sh',"
	  "'pid':7}",
	  "     -                3 a_name_that_is_lo...                              "
	  "    sh[7]\n" },
	{ "{'type':'links-begin'}",
	  "  link type           program                where                        "
	  "    held by\n" },
	{ "{'type':'link','id':5,'link_type':'BPF_LINK_TYPE_A_TYPE_THAT_HAS_MORE_THAN_31_CHAR"
	  "ACTERS','prog_id':4294967297,'prog':'p','where':'/sys/fs/cgroup/one/two/three/four"
	  "/five/six/seven','cookie':4294967303,'holders':[],'pins':['/sys/fs/bpf/x',"
	  "'/sys/fs/bpf/y']}",
	  "     5 a_type_that... 4294967297 p           "
	  "/sys/fs/cgroup/one/two/three/four/five/six/seven\n"
	  "       cookie 0x100000007\n       pinned /sys/fs/bpf/x\n"
	  "       pinned /sys/fs/bpf/y\n" },
	{ "{'type':'link','prog_id':1,'where':'/sys/fs/cgroup/one/two/three',"
	  "'holders':[{'comm':'a','pid':7},{'comm':'b','pid':8},{'comm':'c','pid':9},"
	  "{'comm':'d','pid':10},{'comm':'e','pid':11}]}",
	  "     0                1                      /sys/fs/cgroup/one/two/three "
	  "    a[7] b[8] c[9] d[10...\n" },
	{ "{'type':'programs-begin'}",
	  "  prog type             name             tag                    runs  "
	  "attached held by\n" },
	{ "{'type':'program','id':9,'prog_type':'BPF_PROG_TYPE_XDP','name':'p',"
	  "'tag':'0011223344556677','run_cnt':4294967298,'links':[1,2],'events':3,"
	  "'holders':[{'comm':'sh','pid':3}],'pins':['/sys/fs/bpf/p']}",
	  "     9 xdp              p                0011223344556677 4294967298  5   "
	  "     sh[3]\n       pinned /sys/fs/bpf/p\n" },
	{ "{'type':'program','id':4294967305,'prog_type':'BPF_PROG_TYPE_XDP','name':'p',"
	  "'tag':'0011223344556677','run_cnt':2,'links':[],'events':1}",
	  "4294967305 xdp              p                0011223344556677          2  "
	  "1\n" },
	{ "{'type':'program','id':9,'prog_type':'BPF_PROG_TYPE_XDP','name':'p',"
	  "'tag':'0011223344556677','run_cnt':0}",
	  "     9 xdp              p                0011223344556677          0  -\n" },
	{ "{'type':'attached','links':1,'events':0,'programs':4294967298}",
	  "1 link, 0 events without a link, 4294967298 programs\n" },
	{ "{'type':'program-details','id':7,'object':{'a':1},'file':'a\\u001bb',"
	  "'pinned':null,'list':[{'b':2},3,'c\\u001bd']}",
	  "program\n  id              7\n  object          {.a = 1}\n"
	  "  file            a\\033b\n"
	  "  pinned          (this kernel does not report it)\n"
	  "  list            {.b = 2}\n                  3\n"
	  "                  c\\033d\n" },
	{ "{'type':'detached','what':'/x','links':1,'programs':2,'maps':3,'left':[],"
	  "'dir_stays':true}",
	  "/x: removed the pins of 1 link, 2 programs, 3 maps; the links have ended\n"
	  "  the directory remains, because it is not empty\n" },
	{ "{'type':'detached','what':'/x','programs':2,'left':[]}",
	  "/x: removed the pins of 2 programs\n" },
	{ "{'type':'detached','what':'/x','links':1,'others':1,'dir_stays':true,"
	  "'left':[{'id':4294967299},{'id':4,'held_by':['a[1]','b[2]']}]}",
	  "/x: removed the pins of 1 link\n"
	  "  not removed: 1 pin that pload did not create\n"
	  "  link 4294967299 remains: its holders cannot be read\n"
	  "  link 4 remains: it is held by a[1], b[2]\n" },
	{ "{'type':'detached','what':'/x'}",
	  "/x: removed the pins of nothing; without CAP_SYS_ADMIN it cannot be "
	  "checked whether the links have ended\n" },
	{ "{'type':'adopted','dir':'/x','object':'a.o','links':[{'name':'l','where':'lo',"
	  "'cookie':4294967297},{'name':'m'}],'programs':1,'maps':2,'others':1}",
	  "adopted /x (a.o): 2 links, 1 program, 2 maps\n"
	  "  l on lo, cookie 0x100000001\n  m on (this kernel does not report it)\n"
	  "  and 1 pin that pload did not create\n" },
	{ "{'type':'adopted','dir':'/x','object':'','links':[],'programs':1,'maps':2}",
	  "adopted /x: 0 links, 1 program, 2 maps\n" },
	/* stacks */
	{ "{'type':'stack-fields','map':'m','count':'n','fields':[{'role':'stack-user',"
	  "'field':'u','stacks':'s','known_by':'code'},{'role':'mixed','field':'',"
	  "'part':'key','known_by':'code'},{'role':'tgid','field':'pid','known_by':'name'},"
	  "{'role':'stack-kernel','field':'k','known_by':'name','replaces':true},"
	  "{'role':'comm','field':'c','known_by':'type'},{'role':'address','field':'ip'},"
	  "{'field':'none'}]}",
	  "  rows by n; stacks: u in s (by code), key (by code: not shown, it has "
	  "stacks of several kinds), k (by name; a stack may be another's with the "
	  "same hash); process: pid (by name), c (by type)\n" },
	{ "{'type':'stack-fields','map':'m','count':'','fields':[{'role':'stack','field':'x',"
	  "'known_by':'code'}]}",
	  "  rows by value; stacks: x (by code)\n" },
	{ "{'type':'stack-fields','map':'m','fields':[{'role':'stack-frames','part':'value',"
	  "'known_by':'option'}]}",
	  "m: stacks: value (by option)\n" },
	{ "{'type':'stack-map','map':'s','elements':4294967297,'in_no_row':4294967298}",
	  "s (stack_trace, 4294967297 elements): shown with their rows; 4294967298 "
	  "in no row\n" },
	{ "{'type':'stack-map','map':'s','elements':1}",
	  "s (stack_trace, 1 element): shown with their rows\n" },
	{ "{'type':'map','map':'m','key':1,'value':2,'stacks':[{'field':'u',"
	  "'frames':[{'symbol':'f','offset':4294967312,'address':'0x1000','file':'/bin/x'},"
	  "{'address':'0x2000','offset':32,'file':'/bin/x'},{'address':'0x3000'},"
	  "{'file_offset':'0x40','offset':64,'file':'/bin/x','build_id':'ab'},"
	  "{'file_offset':'0x50','build_id':'ab','doubt':'no pointer'},{'symbol':'g',"
	  "'offset':0,'build_id':'cd'}]},{'error':'EFAULT'},{'field':'k','error':'ENOENT',"
	  "'why':'gone'}]}",
	  "  1 = 2\n    u:\n      f+0x100000010 (/bin/x)\n"
	  "      0x2000 (/bin/x+0x20)\n      0x3000\n      0x40 (/bin/x)\n"
	  "      0x50 (build ID ab) [no pointer]\n      g+0x0 (build ID cd)\n"
	  "    stack: no stack (EFAULT)\n    k: no stack (ENOENT): gone\n" },
	/* addresses */
	{ "{'type':'map','map':'m','key':'0x7','value':2,'addresses':[{'field':'','part':'key',"
	  "'address':'0x7','symbol':'f\\u001b','offset':4294967312,'file':'/bin/x\\n',"
	  "'doubt':'no'}]}",
	  "  \"0x7\" = 2  f\\033+0x100000010 (/bin/x\\n) [no]\n" },
	{ "{'type':'map','map':'m','key':1,'value':2,'addresses':[{'field':'ip','part':'key',"
	  "'address':'0x7','offset':6,'file':'/bin/x','build_id':'ab'}]}",
	  "  1 = 2  ip: (/bin/x+0x6)\n" },
	{ "{'type':'map','map':'m','key':1,'value':2,'addresses':[{'field':'','part':'key',"
	  "'address':'0x7','symbol':'f','offset':0},{'field':'to','part':'value',"
	  "'address':'0x8','symbol':'g','offset':1,'file':'[kernel]'}]}",
	  "  1 = 2  key: f+0x0, to: g+0x1 ([kernel])\n" },
	{ "{'type':'map','map':'m','key':1,'value':2,'addresses':[]}", "  1 = 2\n" },
	/* pload load */
	{ "{'type':'load','status':'failed','object':'a.o','error':'prog x: refused',"
	  "'problem':'odd','verifier':'R0 !read_ok','reason':'prog-load/verifier',"
	  "'file':'a.c','line':4,'column':5,'source':'x++;','path':[{'insn':3,'note':'here',"
	  "'file':'a.c','line':3,'source':'y = 0;'}],'log':'0: (bf)\\tr1\\u001b\\n1: x',"
	  "'call':'bpf(BPF_PROG_LOAD)','hint':'look'}",
	  "a.c:4:5: error: odd: x++;\na.c:3: note: here: y = 0;\n"
	  "failed  a.o: prog x: refused [prog-load/verifier]\n    0: (bf)\tr1\\033\n"
	  "    1: x\n  call: bpf(BPF_PROG_LOAD)\n  hint: look\n" },
	{ "{'type':'load','status':'failed','object':'a.o','error':'prog x: refused',"
	  "'problem':'odd','insn':4}",
	  "failed  a.o: prog x: refused: odd\n" },
	{ "{'type':'load','status':'failed','object':'a.o','error':'prog x: refused',"
	  "'verifier':'R0 !read_ok'}",
	  "failed  a.o: prog x: refused: R0 !read_ok\n" },
	{ "{'type':'load','status':'ok','object':'a.o','maps':1,'programs':2,'loaded':1,"
	  "'pinned':'/x','progs':[{'prog':'p','section':'xdp','verified_insns':12,"
	  "'xlated_bytes':96,'jited_bytes':4294967376},{'prog':'q','section':'tc',"
	  "'xlated_bytes':4294967392,'jited_bytes':0}],'refused':[{'error':'prog r: no',"
	  "'reason':'x/y'}]}",
	  "ok      a.o: 1 map, 1 of 2 programs, pinned in /x\n"
	  "  p (xdp): 12 instructions verified, 96 bytes, 4294967376 bytes of "
	  "machine code\n  q (tc): 4294967392 bytes, 0 bytes of machine code\n"
	  "  without prog r: no [x/y]\n" },
	{ "{'type':'load','status':'ok','object':'a.o','maps':4294967298,'programs':1,"
	  "'loaded':1}",
	  "ok      a.o: 4294967298 maps, 1 program\n" },
	/* counters */
	{ "{'type':'counters-begin','begin_ns':1002003004,'end_ns':5004299999999}",
	  "counted from 1.002 s to 5004.299 s\n" COUNTERS },
	{ "{'type':'counters-begin','begin_ns':0,'end_ns':999999}",
	  "counted for 999.999 us\n" COUNTERS },
	{ "{'type':'counters-begin','begin_ns':1000000,'end_ns':1000000000}",
	  "counted from 1.000 ms to 1.000 s\n" COUNTERS },
	{ "{'type':'counter','event':'cycles','value':4294967297,'scaled':8589934594,"
	  "'share':0.5,'enabled_ns':5000000000,'running_ns':2509999999,'cpus':[{'cpu':2,"
	  "'value':1,'scaled':2,'share':0.25,'enabled_ns':1,'running_ns':10000}]}",
	  "     4,294,967,297      8,589,934,594   50.0%    5,000.00    2,509.99  cycles\n"
	  "                 1                  2   25.0%       <0.01        0.01    cpu 2\n" },
	{ "{'type':'counter','event':'e','value':8,'scaled':8,'scale':'0.25','unit':'Joules',"
	  "'map':'m','cgroup':'a','never_scheduled':2}",
	  "                 8                  8       -           -           -  e = 2.00 "
	  "Joules, map m, cgroup a, never scheduled on 2 other targets\n" },
	{ "{'type':'counter','event':'e','value':4,'scaled':8,'unit':'B','never_scheduled':1}",
	  "                 4                  8       -           -           -  e in B, "
	  "never scheduled on 1 other target\n" },
	{ "{'type':'counter','event':'e','value':4,'scaled':4294967296,'scale':'2'}",
	  "                 4      4,294,967,296       -           -           -  e = "
	  "8589934592.00\n" },
	{ "{'type':'counter','event':'e','state':'never-enabled','scale':'2','why':'no',"
	  "'reason':'a/b'}",
	  "     never enabled                  -       -           -           -  e: no "
	  "[a/b]\n" },
	{ "{'type':'counter','event':'e','state':'never-scheduled'}",
	  "   never scheduled                  -       -           -           -  e\n" },
	{ "{'type':'counter','event':'e','state':'error'}",
	  "     not available                  -       -           -           -  e\n" },
	/* records, maps and lines */
	{ "{'type':'record','map':'m','cpu':0,'value':1,'missing':4294967298}",
	  "m cpu 0: 1 (4294967298 bytes shorter than its type)\n" },
	{ "{'type':'map-begin','map':'m','map_type':'hash','elements':1}",
	  "m (hash, 1 element)\n" },
	{ "{'type':'map-begin','map':'m','map_type':'hash','elements':4294967298}",
	  "m (hash, 4294967298 elements)\n" },
	{ "{'type':'map-begin','map':'m','map_type':'queue'}", "m (queue)\n" },
	{ "{'type':'map-more','map':'m','more':4294967297,'elements':8589934592}",
	  "  4294967297 more (of 8589934592 elements; --format=json shows all)\n" },
	{ "{'type':'stack','map':'s','id':4294967297,'ips':[]}", "  4294967297:\n" },
	{ "{'type':'data','map':'d','value':7}", "d (data)\n  7\n" },
	{ "{'type':'iter','line':'a\\tb\\u001b'}", "a\tb\\033\n" },
	{ "{'type':'printk','prog':'p','text':'x\\ty'}", "p: x\ty\n" },
	{ "{'type':'printk','prog':null,'text':'x'}", "a program: x\n" },
	{ "{'type':'stream','prog':'p','stream':'stderr','text':'x'}", "p (stderr): x\n" },
	{ "{'type':'stream','prog':'p','stream':'stdout','text':'x'}", "p: x\n" },
	{ "{'type':'instead','wanted':'cycles','taken':'cpu-clock','why':'no PMU',"
	  "'reason':'perf-open/no-pmu'}",
	  "instead of event 'cycles': 'cpu-clock', since no PMU [perf-open/no-pmu]\n" },
	{ "{'type':'instead','wanted':'cycles','taken':'cpu-clock','why':'no PMU'}",
	  "instead of event 'cycles': 'cpu-clock', since no PMU\n" },
	{ "{'type':'test-run','name':'xdp','runs':1,'data_size':4294967297,'retval':2}",
	  "xdp: 1 run over 4294967297 bytes, returned 2\n" },
	{ "{'type':'test-run','name':'xdp','runs':4294967297,'data_size':1,"
	  "'retval':-4294967297}",
	  "xdp: 4294967297 runs over 1 bytes, returned -4294967297\n" },
	{ "{'type':'pinned','dir':'/x','links':1,'programs':4294967298,'maps':2}",
	  "pinned in /x: 1 link, 4294967298 programs, 2 maps\n" },
	{ "{'type':'unseen','what':'links','why':'no right'}",
	  "could not read: links: no right\n" },
	/* pload list */
	{ "{'type':'list-pmu','pmu':'cpu','perf_type':4294967300,'cpus':'0-3',"
	  "'terms':{'a':'config:0-7','b':'config:8'},'caps':{}}",
	  "cpu: PMU of type 4294967300, on CPU 0-3\n"
	  "    terms: a=config:0-7, b=config:8\n" },
	{ "{'type':'list-pmu','pmu':'msr','perf_type':9,'terms':{},'caps':{'max':'8'}}",
	  "msr: PMU of type 9\n    caps: max=8\n" },
	{ "{'type':'list-event','event':'e','alias':'f','terms':'a=1','scale':'0.5',"
	  "'unit':'J','group':'cpu'}",
	  "  e or f: a=1, times 0.5 J  [cpu]\n" },
	{ "{'type':'list-event','event':'e','group':'cpu'}", "  e  [cpu]\n" },
	/* the summary */
	{ "{'type':'summary','attach':'ioctl','duration_ns':4999999999999,"
	  "'programs':[{'name':'p','points':['lo','eth0'],'events':['a'],'run_cnt':1,"
	  "'run_time_ns':8589934592,'cookie':4294967297},{'name':'q','run_cnt':8589934592,"
	  "'run_time_ns':17179869184,'recursion_misses':4294967299},{'name':'r','run_cnt':2,"
	  "'run_time_ns':0}],'records':1,'lost':4294967297,'rings':[{'bytes':4398046511104}],"
	  "'losses':[{'what':'lines','helper':'bpf_printk','count':4294967297},"
	  "{'what':'stacks','map':'s','count':1},{'what':'overwritten','map':'r','cpu':4,"
	  "'count':1},{'what':'unknown','count':1},{'count':2}],'command':{'name':'ls',"
	  "'exit_code':2},'skipped_cpus':[],'pinned':'/x'}",
	  "attached by ioctl for 4999.999 s\n"
	  "  p on a, lo, eth0: 1 run, 8589934592 ns each, cookie 0x100000001\n"
	  "  q: 8589934592 runs, 2 ns each, 4294967299 missed while a program was "
	  "running on that CPU\n  r: 2 runs\n"
	  "  1 record, at least 4294967297 lost; 1 ring of 4294967296 kB\n"
	  "  lost: 4294967297 lines of helper 'bpf_printk' (their ring was full)\n"
	  "  lost: 1 stack of map 's' (another stack has the same hash, or the map "
	  "had no room)\n"
	  "  lost: 1 byte of records of map 'r' on CPU 4 (overwritten before they "
	  "were read)\n  command ls exited with 2\n"
	  "  the links stay pinned: pload pin adopt /x resumes the session, pload pin remove /x "
	  "ends it\n" },
	{ "{'type':'summary','adopted':true,'duration_ns':1,'programs':[],"
	  "'records':4294967297,'lost':0,'command':{'name':'ls','signal':'SIGINT'}}",
	  "adopted for 0.001 us\n  4294967297 records, 0 lost\n"
	  "  command ls was ended by SIGINT\n" },
	{ "{'type':'summary','attach':'link','duration_ns':0,'programs':[]}", "attached by link\n" },
	{ "{'type':'summary','attach':'link','duration_ns':999999,'programs':[]}",
	  "attached by link for 999.999 us\n" },
	{ "{'type':'summary','attach':'link','duration_ns':1000000,'programs':[]}",
	  "attached by link for 0.001 s\n" },
	{ "{'type':'summary','programs':[],'records':1,'rings':[{'bytes':1024}],'lost':null,"
	  "'losses':[{'what':'records','map':'r','count':null},{'what':'samples','prog':'p',"
	  "'of':764,'at_most':475,'clock':true,'count':null},{'what':'samples','prog':'q',"
	  "'of':3,'at_most':2,'count':null},{'what':'samples','prog':'r','of':56,'at_most':56,"
	  "'clock':true,'count':null},{'what':'records','map':'s','counted_by':'v','count':null}]}",
	  "  1 record, lost: unknown (the kernel does not count for ring buffers); "
	  "1 ring of 1 kB\n"
	  "  lost: unknown for map 'r': neither the kernel nor a global variable of its programs "
	  "counts them\n"
	  "  lost: at most 475 of 764 samples (62 %) of prog 'p' (a BPF program may have been running "
	  "on the CPU; a late timer skips samples)\n"
	  "  lost: at most 2 of 3 samples (67 %) of prog 'q' (a BPF program may have been running "
	  "on the CPU)\n"
	  "  lost: at most 56 of 56 samples (100 %) of prog 'r' (it never ran: the kernel may not "
	  "have bound it to its event)\n"
	  "  lost: an unknown number of records of map 's' (a ring may have been full; counted by the "
	  "program in 'v')\n" },
	{ "{'type':'summary','programs':[],'records':0,'rings':[{'bytes':1024},"
	  "{'bytes':1024}],'lost':0}",
	  "  0 records, 0 lost; 2 rings of 2 kB\n" },
}, colored[] = {
	{ "{'type':'data','map':'d','value':{'a':1}}", "\033[1md (data)\033[m\n  a = 1\n" },
	{ "{'type':'map-begin','map':'m','map_type':'hash','elements':1}",
	  "\033[1mm (hash, 1 element)\033[m\n" },
	{ "{'type':'-begin','x':1}", "{.type = \"-begin\", .x = 1}\n" },
	{ "{'type':'map-more','map':'m','more':1,'elements':3}",
	  "  1 more (of 3 elements; --format=json shows all)\n" },
	{ "{'x':1}", "{.x = 1}\n" },
	{ "{'type':'map','map':'m','key':1,'value':2,'stacks':[{'field':'u',"
	  "'frames':[{'symbol':'f','offset':1,'address':'0x1','file':'x'},{'address':'0x2'},"
	  "{'address':'0x2','offset':2,'file':'x'}]}]}",
	  "  1 = 2\n    u:\n      \033[36mf\033[m+0x1 (x)\n      0x2\n"
	  "      0x2 (x+0x2)\n" },
	{ "{'type':'map','map':'m','key':'      f+0x1','value':2}", "  \"      f+0x1\" = 2\n" },
	{ "{'type':'summary','attach':'link','duration_ns':1,'programs':[],'records':1,"
	  "'lost':2,'losses':[{'what':'lines','helper':'p','count':1}]}",
	  "\033[1mattached by link for 0.001 us\033[m\n  1 record, 2 lost\n"
	  "  \033[1;31mlost:\033[m 1 line of helper 'p' (their ring was full)\n" },
	{ "{'type':'load','status':'failed','object':'a.o','error':'prog x: refused',"
	  "'problem':'odd','file':'a.c','line':4,'path':[{'note':'here','file':'a.c',"
	  "'line':3}]}",
	  "a.c:4: \033[1;31merror:\033[m odd\na.c:3: note: here\n"
	  "failed  a.o: prog x: refused\n" },
	{ "{'type':'load','status':'failed','object':'a.o','error':'an error: x'}",
	  "failed  a.o: an error: x\n" },
};

static void expect_text(const struct row *row, const struct output_format *format)
{
	struct json_object *msg = json_of(row->json);
	struct error err = { 0 };
	struct printed p;

	ck_assert_msg(msg, "%s", row->json);
	printed_begin(&p, "text");
	p.out.format = format;
	ck_assert_int_eq(output_message_as(&p.out, msg, text_printer(msg), &err), 0);
	ck_assert_str_eq(printed_text(&p), row->text);
	printed_end(&p);
}

TEST_ROWS(each_type_has_its_text, plain)
{
	expect_text(&plain[_i], output_format_find("text", NULL));
}

TEST_ROWS(a_part_has_a_color, colored)
{
	expect_text(&colored[_i], output_format_colored(output_format_find("text", NULL)));
}
