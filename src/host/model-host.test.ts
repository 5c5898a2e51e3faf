import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { errno } from './errno.js';
import { ModelHost } from './model-host.js';
import { CURRENT, open, whence } from './wire.js';

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

function write(host: ModelHost, handle: number, text: string, offset: number = CURRENT): number {
  const bytes = encode(text);
  return host.write(handle, bytes, 0, bytes.length, offset);
}

function read(host: ModelHost, handle: number, length: number, offset: number = CURRENT): string | number {
  const memory = new Uint8Array(length);
  const count = host.read(handle, memory, 0, length, offset);
  return count < 0 ? count : decode(memory.subarray(0, count));
}

describe('files', () => {
  test('are read and written at a position that moves', () => {
    const host = new ModelHost({ arguments: [], files: { 'a.txt': 'hello' } });
    const handle = host.open('a.txt', open.O_RDWR, 0);
    expect(read(host, handle, 2)).toBe('he');
    expect(write(host, handle, 'LL')).toBe(2);
    expect(read(host, handle, 10)).toBe('o');
    expect(read(host, handle, 10, 1)).toBe('eLLo');
    expect(host.seek(handle, -1, whence.SEEK_END)).toBe(4);
    expect(host.seek(handle, -9, whence.SEEK_CUR)).toBe(-errno.EINVAL);
    expect(write(host, handle, '!', 8)).toBe(1);
    expect(decode(host.bytesOf('a.txt'))).toBe('heLLo\0\0\0!');
  });

  test('exist without a name while they are open', () => {
    const host = new ModelHost({ arguments: [], files: { x: 'data' } });
    const handle = host.open('x', 0, 0);
    expect(host.unlink('x')).toBe(0);
    expect(host.open('x', 0, 0)).toBe(-errno.ENOENT);
    expect(read(host, handle, 9)).toBe('data');
    expect(host.close(handle)).toBe(0);
    expect(read(host, handle, 9)).toBe(-errno.EBADF);
  });

  test('are found through folders and links', () => {
    const host = new ModelHost({ arguments: [], files: { '/data/deep/f': 'x' } });
    expect(host.symlink('../data/deep', 'link')).toBe(0);
    expect(decode(host.bytesOf('link/f'))).toBe('x');
    expect(host.readlink('link')).toBe('../data/deep');
    expect(host.rename('/data', '/data/deep/inside')).toBe(-errno.EINVAL);
    expect(host.rename('/data', 'moved')).toBe(0);
    expect(decode(host.bytesOf('/work/moved/deep/f'))).toBe('x');
    expect(host.chdir('moved/deep')).toBe(0);
    expect(host.getcwd()).toBe('/work/moved/deep');
    expect(host.rmdir('../../moved')).toBe(-errno.ENOTEMPTY);
  });

  test('a folder lists its entries in order', () => {
    const host = new ModelHost({ arguments: [], files: { b: '', a: '' } });
    host.mkdir('c/', 0o755);
    const handle = host.open('.', open.O_DIRECTORY, 0);
    const names: string[] = [];
    for (let i = 0; ; i++) {
      const entry = host.list(handle, i);
      if (typeof entry === 'number') break;
      names.push(`${entry.name}:${entry.type}`);
    }
    expect(names).toEqual(['.:4', '..:4', 'a:8', 'b:8', 'c:4']);
  });
});

describe('forks', () => {
  test('share earlier writes and no later ones', () => {
    const host = new ModelHost({ arguments: ['p'], files: { f: 'one' } });
    const handle = host.open('f', open.O_RDWR | open.O_APPEND, 0);
    const other = host.fork();
    write(host, handle, ' host');
    write(other, handle, ' other');
    write(other, 1, 'out');
    expect(decode(host.bytesOf('f'))).toBe('one host');
    expect(decode(other.bytesOf('f'))).toBe('one other');
    expect([decode(host.stdout), decode(other.stdout)]).toEqual(['', 'out']);
    expect(other.arguments()).toEqual(['p']);
  });

  /** Random operations on a family of forks, against one plain map per fork. */
  test('behave like independent copies', () => {
    const operation = fc.record({
      on: fc.nat(20),
      name: fc.constantFrom('a', 'b', 'd/a', 'd/b'),
      kind: fc.constantFrom('append', 'unlink', 'fork', 'rename'),
      text: fc.string({ maxLength: 4 }),
    });
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 40 }), operations => {
        const first = new ModelHost({ arguments: [], files: { 'd/keep': '' } });
        const family: { host: ModelHost; model: Map<string, string> }[] = [{ host: first, model: new Map() }];
        for (const { on, name, kind, text } of operations) {
          const { host, model } = family[on % family.length]!;
          if (kind === 'fork') family.push({ host: host.fork(), model: new Map(model) });
          else if (kind === 'append') {
            const handle = host.open(name, open.O_CREAT | open.O_WRONLY | open.O_APPEND, 0o644);
            write(host, handle, text);
            host.close(handle);
            model.set(name, (model.get(name) ?? '') + text);
          } else if (kind === 'unlink') {
            expect(host.unlink(name)).toBe(model.delete(name) ? 0 : -errno.ENOENT);
          } else {
            const contents = model.get(name);
            expect(host.rename(name, 'b')).toBe(contents === undefined ? -errno.ENOENT : 0);
            if (contents === undefined) continue;
            model.delete(name);
            model.set('b', contents);
          }
        }
        for (const { host, model } of family) {
          for (const name of ['a', 'b', 'd/a', 'd/b']) {
            const bytes = host.bytesOf(name);
            expect(bytes && decode(bytes)).toBe(model.get(name));
          }
        }
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});

describe('a fork is like its original', () => {
  const make = () => {
    const host = new ModelHost({ arguments: [], files: { f: 'text' }, seed: 7 });
    return [host, host.fork(), host.open('f', open.O_RDWR, 0)] as const;
  };

  test('until the other one opens a file', () => {
    const [host, fork] = make();
    expect(host.isLike(fork)).toBe(false);
  });

  test('until a position moves, and again when it is back', () => {
    const [host, , handle] = make();
    const fork = host.fork();
    expect(host.isLike(fork)).toBe(true);
    read(fork, handle, 2);
    expect(host.isLike(fork)).toBe(false);
    fork.seek(handle, 0, whence.SEEK_SET);
    expect(host.isLike(fork)).toBe(true);
  });

  test.each<[string, (host: ModelHost, handle: number) => unknown]>([
    ['a write', (host, handle) => write(host, handle, 't')],
    ['a new folder', host => host.mkdir('d', 0o755)],
    ['another working folder', host => host.chdir('/')],
    ['a sleep', host => host.sleep(1n)],
    ['random bytes', host => host.random(new Uint8Array(1), 0, 1)],
  ])('until %s', (_, change) => {
    const [host, , handle] = make();
    const fork = host.fork();
    change(fork, handle);
    expect(host.isLike(fork)).toBe(false);
  });
});

test('two equal models see the same clock and the same random bytes', () => {
  const make = () => new ModelHost({ arguments: [], seed: 7 });
  const [a, b] = [make(), make()];
  const bytes = [new Uint8Array(16), new Uint8Array(16)];
  a.random(bytes[0]!, 0, 16);
  b.random(bytes[1]!, 0, 16);
  expect(bytes[0]).toEqual(bytes[1]);
  expect(a.clock(1)).toBe(b.clock(1));
  a.sleep(5_000_000_000n);
  expect(a.clock(1) - b.clock(1)).toBe(5_000_000_000n);
});
