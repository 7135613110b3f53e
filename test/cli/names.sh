#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Addresses have the names of their functions, although the program is deleted, in another root, or compiled its code itself.
# Lane: sampling
. test/cli/lib.sh

skip_rest_if 'names' "$(kernel_refuses)"

# "delete": it deletes itself, and runs on until its parent, pload, has opened what was deleted: pload may come late on a busy
# machine. "jit": it copies a function into memory of its own, and writes a perf map.
cat >"$tmp/hot.c" <<'END'
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
__attribute__((noinline)) static void spin(volatile unsigned long *x)
{
	for (int i = 0; i < 1000000; i++)
		*x += i;
}
__attribute__((noinline)) static void after_spin(void) { }
static int parent_has(const char *file)
{
	char dir[64], link[512], path[4096];
	int found = 0;

	snprintf(dir, sizeof(dir), "/proc/%d/fd", getppid());
	DIR *fds = opendir(dir);
	for (struct dirent *e; fds && !found && (e = readdir(fds));) {
		snprintf(link, sizeof(link), "%s/%s", dir, e->d_name);
		ssize_t n = readlink(link, path, sizeof(path) - 1);
		path[n < 0 ? 0 : n] = 0;
		found = !strncmp(path, file, strlen(file));
	}
	if (fds)
		closedir(fds);
	return found;
}
int main(int argc, char **argv)
{
	void (*work)(volatile unsigned long *) = spin;
	volatile unsigned long x = 0;
	char path[64];
	const int deletes = argc > 1 && !strcmp(argv[1], "delete");

	if (deletes)
		unlink(argv[0]);
	if (argc > 1 && !strcmp(argv[1], "jit")) {
		void *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		memcpy(code, (void *)spin, 512);
		__builtin___clear_cache(code, (char *)code + 512);
		work = code;
		snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
		FILE *map = fopen(path, "w");
		fprintf(map, "%lx 200 compiled spin\n", (unsigned long)code);
		fclose(map);
	}
	for (clock_t end = clock() + CLOCKS_PER_SEC / 10; clock() < end;)
		work(&x);
	for (time_t end = time(NULL) + 30; deletes && !parent_has(argv[0]) && time(NULL) < end;)
		work(&x);
	after_spin();
	return 0;
}
END
${CC:-cc} -O1 -g -static -fno-omit-frame-pointer "$tmp/hot.c" -o "$tmp/hot" || { not_ok 'compiles' "$CC failed"; exit 1; }

# names WORD... - runs this command under the profile, and leaves "function (file)" of its frames in $tmp/frames.
names() {
	run -e cpu-clock -c 1000000 "$PROGS/profile.bpf.o" -- "$@"
	sed -n 's/^      \(.*\)+0x[0-9a-f]*/\1/p' "$tmp/out" >"$tmp/frames"
}

cp "$tmp/hot" "$tmp/gone"
names "$tmp/gone" delete
is 'a program that deletes itself: status' "$status" 0
has '... its function' "$tmp/frames" "spin ($tmp/gone)"

if chroot "$tmp" /hot >/dev/null 2>&1; then
	names chroot "$tmp" /hot
	has 'a program in another root: its function' "$tmp/frames" 'spin (/hot)'
else
	skip 'a program in another root' 'chroot(2) is not permitted'
fi

names "$tmp/hot" jit
has 'code of a JIT compiler' "$tmp/frames" 'compiled spin (/tmp/perf-'
rm -f "/tmp/perf-$(sed -n 's|.*(/tmp/perf-\([0-9]*\).map).*|\1|p' "$tmp/frames" | head -n 1).map"

# Two libraries, one after the other at one address: the rows of a map do not tell when.
cat >"$tmp/one_address.c" <<'END'
#include <dlfcn.h>
#include <time.h>

static void *use(char *file, const char *name)
{
	void *library = dlopen(file, RTLD_NOW);
	void (*work)(void) = library ? (void (*)(void))dlsym(library, name) : (void (*)(void))0;

	for (clock_t end = clock() + CLOCKS_PER_SEC / 4; work && clock() < end;)
		work();
	if (library)
		dlclose(library);
	return (void *)work;
}

int main(int argc, char **argv)
{
	void *first = use(argv[1], "work_a");

	return argc == 3 && first && first == use(argv[2], "work_b") ? 0 : 77;
}
END
for name in a b; do
	echo 'volatile long x; void WORK(void) { for (int i = 0; i < 1000000; i++) x = x + 1; __asm__ volatile(""); }' >"$tmp/work.c"
	${CC:-cc} -O0 -fno-omit-frame-pointer -fPIC -shared -DWORK=work_$name "$tmp/work.c" -o "$tmp/lib$name.so"
done
${CC:-cc} -O0 -fno-omit-frame-pointer "$tmp/one_address.c" -o "$tmp/one_address" -ldl
names "$tmp/one_address" "$tmp/liba.so" "$tmp/libb.so"
if [ "$status" = 77 ]; then
	skip 'two libraries at one address' 'they were loaded at two'
else
	is 'two libraries at one address: status' "$status" 0
	has 'two libraries at one address: the latest names it' "$tmp/out" "($tmp/libb.so) [the process also had other code at this address]"
	is '... which each line says' "$(grep -E '^ +work_[ab]\+0x' "$tmp/out" | grep -cv 'libb.so) \[the process also had other code at this address\]$')" 0
fi

done_testing
