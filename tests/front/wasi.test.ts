/**
 * The WASI host of the embedded tools, called by a C program instead of by clang.
 */
import { expect, test } from 'vitest';
import { sharedToolchain } from '../../src/api/shared-toolchain.js';
import { valueOrThrow } from '../../src/front/step-outcome.js';
import { runWasi, type WasiRun } from '../../src/front/wasi.js';
import { lowerMemory64 } from '../../src/wasm/lower.js';

/**
 * System calls as the tools make them, with 32-bit addresses and a number as result, which `say`
 * prints.
 */
const preamble = `
#define SYSTEM(name) __attribute__((import_module("wasi_snapshot_preview1"), import_name(#name)))
#define AT(x) ((unsigned)(unsigned long)(x))
typedef unsigned u32; typedef unsigned long u64;
SYSTEM(args_sizes_get) int args_sizes_get(u32, u32);
SYSTEM(args_get) int args_get(u32, u32);
SYSTEM(clock_time_get) int clock_time_get(int, u64, u32);
SYSTEM(random_get) int random_get(u32, int);
SYSTEM(proc_exit) void proc_exit(int);
SYSTEM(fd_write) int fd_write(int, u32, int, u32);
SYSTEM(fd_read) int fd_read(int, u32, int, u32);
SYSTEM(fd_seek) int fd_seek(int, u64, int, u32);
SYSTEM(fd_close) int fd_close(int);
SYSTEM(fd_filestat_get) int fd_filestat_get(int, u32);
SYSTEM(fd_filestat_set_size) int fd_filestat_set_size(int, u64);
SYSTEM(path_open) int path_open(int, int, u32, int, int, u64, u64, int, u32);
SYSTEM(path_filestat_get) int path_filestat_get(int, int, u32, int, u32);
SYSTEM(path_create_directory) int path_create_directory(int, u32, int);
SYSTEM(path_unlink_file) int path_unlink_file(int, u32, int);
SYSTEM(path_rename) int path_rename(int, u32, int, int, u32, int);
SYSTEM(path_readlink) int path_readlink(int, u32, int, u32, int, u32);
struct vector { u32 at, count; };
static int length(const char *text) { int n = 0; while (text[n]) n++; return n; }
static int put(int fd, const char *text, int count) {
  struct vector one = { AT(text), count }; u32 done; return fd_write(fd, AT(&one), 1, AT(&done));
}
static int get(int fd, char *text, int count) {
  struct vector two[2] = { { AT(text), 1 }, { AT(text + 1), count - 1 } }; u32 done = 0;
  int error = fd_read(fd, AT(two), 2, AT(&done)); return error ? -error : (int)done;
}
static void print(const char *text) { put(1, text, length(text)); }
static void say(const char *what, long number) {
  char digits[24]; int at = 23; digits[at] = 0; int negative = number < 0; if (negative) number = -number;
  do digits[--at] = '0' + number % 10; while (number /= 10);
  if (negative) digits[--at] = '-';
  print(what); print("="); print(digits + at); print(" ");
}
enum { CREATE = 1, FOLDER = 2, EXCLUSIVE = 4, TRUNCATE = 8 };
static int fd;
static int open(const char *path, int flags) { return path_open(3, 0, AT(path), length(path), flags, 0, 0, 0, AT(&fd)); }
static long sizeOf(const char *path) {
  u64 status[8]; int error = path_filestat_get(3, 0, AT(path), length(path), AT(status)); return error ? -error : (long)status[4];
}
`;

async function run(body: string, given: Partial<WasiRun> = {}): Promise<ReturnType<typeof outcomeOf>> {
  const toolchain = await sharedToolchain();
  const content = new TextEncoder().encode(`${preamble}\nvoid _start(void) {${body}}`);
  const flags = ['-w', '-fno-builtin'];
  const ir = valueOrThrow(await toolchain.compileToIr({ path: 'program.c', content }, { flags }));
  const object = valueOrThrow(await toolchain.compileIrToObject(ir));
  const binary = valueOrThrow(
    await toolchain.linkWasm([object], { flags: ['--no-entry', '--export=_start'] }),
  );
  const module = new WebAssembly.Module(lowerMemory64(binary) as BufferSource);
  return outcomeOf(runWasi(module, { args: ['program'], files: [], ...given }));
}

function outcomeOf({ exitCode, stdout, stderr, read }: ReturnType<typeof runWasi>) {
  const text = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);
  return { exitCode, stdout: text(stdout), stderr: text(stderr), read: (path: string) => text(read(path)) };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test('arguments, streams, the end', async () => {
  const program = `
    u32 count, size, at[4]; char text[64];
    args_sizes_get(AT(&count), AT(&size)); args_get(AT(at), AT(text)); say("count", count); say("size", size);
    print((char *)(u64)at[1]); print(" ");
    say("read", get(0, text, 5)); put(2, text, 5); say("rest", get(0, text, 60)); say("end", get(0, text, 60));
    u64 time = 7, position; clock_time_get(0, 0, AT(&time)); say("time", time);
    say("seek", fd_seek(1, 0, 0, AT(&position))); say("closed", fd_close(9)); proc_exit(42); print("not reached");`;
  const stdin = bytes('hello world');
  expect(await run(program, { args: ['a', 'two words'], stdin })).toMatchObject({
    exitCode: 42,
    stdout: 'count=2 size=12 two words read=5 rest=6 end=0 time=0 seek=70 closed=8 ',
    stderr: 'hello',
  });
});

test('files: read, written beyond the end, cut, renamed, removed', async () => {
  const program = `
    char text[16] = {0}; u64 position;
    say("open", open("/in/../in/./a.h", 0)); say("read", get(fd, text, 16)); print(text);
    say("exists", open("in/a.h", CREATE | EXCLUSIVE)); say("none", open("in/b.h", 0)); say("no folder", open("no/b.h", CREATE));
    open("in/b.h", CREATE); put(fd, "0123456789", 10); fd_seek(fd, 14, 0, AT(&position)); put(fd, "end", 3);
    say("size", sizeOf("in/b.h")); say("before", fd_seek(fd, -1, 0, AT(&position)));
    fd_seek(fd, -3, 2, AT(&position)); get(fd, text, 3); print(text);
    fd_filestat_set_size(fd, 4); fd_filestat_set_size(fd, 6); say("resized", sizeOf("in/b.h"));
    open("in/gone", CREATE); say("unlink", path_unlink_file(3, AT("in/gone"), 7)); say("again", path_unlink_file(3, AT("in/gone"), 7));
    open("in/moved", CREATE); put(fd, "moved", 5); say("rename", path_rename(3, AT("in/moved"), 8, 3, AT("in/here"), 7));
    open("in/a.h", TRUNCATE); say("truncated", sizeOf("in/a.h"));`;
  const result = await run(program, { files: [['/in/a.h', bytes('A header')]] });
  expect(result.stdout).toBe(
    'open=0 read=8 A headerexists=20 none=44 no folder=44 size=17 before=28 endeaderresized=6 ' +
      'unlink=0 again=44 rename=0 truncated=0 ',
  );
  expect(result.read('/in/b.h')).toBe('0123\0\0');
  expect(result.read('/in/here')).toBe('moved');
  expect(result.read('/in/moved')).toBeUndefined();
  expect(result.exitCode).toBe(0);
});

test('folders exist if a file is in them, or if they were created', async () => {
  const program = `
    say("root", sizeOf(".")); say("above", sizeOf("../../deep")); say("deep", sizeOf("deep/er")); say("not", sizeOf("deep/x"));
    say("open", open("deep/er", FOLDER)); int deep = fd;
    say("relative", path_open(deep, 0, AT("file"), 4, 0, 0, 0, 0, AT(&fd)));
    say("file as folder", open("deep/er/file", FOLDER)); say("write", open("deep", CREATE)); say("no file", get(deep, 0, 1));
    say("make", path_create_directory(3, AT("new"), 3)); say("again", path_create_directory(3, AT("new"), 3));
    say("far", path_create_directory(3, AT("a/b"), 3)); say("in it", open("new/file", CREATE));
    u32 used; char link[8]; say("link", path_readlink(3, AT("deep"), 4, AT(link), 8, AT(&used)));
    say("no link", path_readlink(3, AT("none"), 4, AT(link), 8, AT(&used)));`;
  const result = await run(program, { files: [['/deep/er/file', bytes('')]] });
  expect(result.stdout).toBe(
    'root=0 above=0 deep=0 not=-44 open=0 relative=0 file as folder=54 write=31 no file=-8 ' +
      'make=0 again=20 far=44 in it=0 link=28 no link=44 ',
  );
});

test("random numbers are the same in every run; a trap is an internal error with the tool's output", async () => {
  const program = `u32 number; random_get(AT(&number), 4); say("random", number);`;
  expect((await run(program)).stdout).toBe((await run(program)).stdout);
  await expect(
    run(`put(2, "last words", 10); __builtin_trap();`, { args: ['llvm', 'tool'] }),
  ).rejects.toThrow(/^tool crashed: RuntimeError: unreachable\nlast words$/);
});
