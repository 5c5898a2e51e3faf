/**
 * Every way out of the granted folders that we could think of, tried on the real machine.
 *
 *      base/
 *        home/      granted, the current folder
 *        shared/    granted
 *        outside/   secret.txt: must stay unread, unwritten, unlisted
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { errno } from './errno.js';
import { RealHost } from './real-host.js';
import { CapturedOutput } from './standard-streams.js';
import { CURRENT, open } from './wire.js';

const createFlags = open.O_CREAT | open.O_WRONLY | open.O_TRUNC;

let base: string;
let host: RealHost;
const at = (...parts: string[]) => join(base, ...parts);

beforeEach(() => {
  // Not below /tmp, which the host replaces by a folder of its own.
  base = realpathSync(mkdtempSync('/var/tmp/redzone-walls-'));
  for (const folder of ['home', 'home/sub', 'shared', 'outside']) mkdirSync(at(folder));
  writeFileSync(at('home/a.txt'), 'inside');
  writeFileSync(at('shared/s.txt'), 'shared');
  writeFileSync(at('outside/secret.txt'), 'secret');
  host = new RealHost({
    folders: [at('home'), at('shared')],
    arguments: ['program'],
    stdout: new CapturedOutput(),
    stderr: new CapturedOutput(),
  });
});

afterEach(() => {
  host.dispose();
  rmSync(base, { recursive: true, force: true });
});

function readAll(path: string): string | number {
  const handle = host.open(path, 0, 0);
  if (handle < 0) return handle;
  const memory = new Uint8Array(100);
  const count = host.read(handle, memory, 10, 90, CURRENT);
  host.close(handle);
  return count < 0 ? count : new TextDecoder().decode(memory.slice(10, 10 + count));
}

function writeAll(path: string, text: string): number {
  const handle = host.open(path, createFlags, 0o644);
  if (handle < 0) return handle;
  const bytes = new TextEncoder().encode(text);
  const count = host.write(handle, bytes, 0, bytes.length, CURRENT);
  host.close(handle);
  return count;
}

describe('inside the granted folders', () => {
  test.each([
    ['a relative path', () => 'a.txt', 'inside'],
    ['a path with dots that stays inside', () => './sub/../a.txt', 'inside'],
    ['an absolute path', () => at('home/a.txt'), 'inside'],
    ['another grant, by its absolute path', () => at('shared/s.txt'), 'shared'],
    ['another grant, through the common parent', () => '../shared/s.txt', 'shared'],
    ['doubled slashes', () => `${at('home')}//sub/..//a.txt`, 'inside'],
  ])('%s works', (_name, path, contents) => {
    expect(readAll(path())).toBe(contents);
  });

  test('links between grants are followed', () => {
    symlinkSync('../shared', at('home/to-shared'));
    symlinkSync('to-shared/s.txt', at('home/two-steps'));
    expect(readAll('to-shared/s.txt')).toBe('shared');
    expect(readAll('two-steps')).toBe('shared');
  });

  test('a dangling link inside is created through', () => {
    symlinkSync('new.txt', at('home/later'));
    expect(writeAll('later', 'x')).toBe(1);
    expect(readFileSync(at('home/new.txt'), 'utf8')).toBe('x');
  });

  test('the current folder changes, and has its own name', () => {
    expect(host.getcwd()).toBe(at('home'));
    expect(host.chdir('sub')).toBe(0);
    expect(readAll('../a.txt')).toBe('inside');
    expect(host.getcwd()).toBe(at('home/sub'));
    expect(host.chdir('../a.txt')).toBe(-errno.ENOTDIR);
  });

  test('a granted folder that was given through a link keeps the name that the user gave', () => {
    symlinkSync('home', at('alias'));
    const aliased = new RealHost({ folders: [at('alias')], arguments: [] });
    expect(aliased.getcwd()).toBe(at('alias'));
    expect(typeof aliased.stat(at('alias/a.txt'), true)).toBe('object');
    expect(typeof aliased.stat(at('home/a.txt'), true)).toBe('object');
    aliased.dispose();
  });
});

describe('outside', () => {
  const escapes: [string, () => string][] = [
    ['dot-dot', () => '../outside/secret.txt'],
    ['dot-dot behind a folder', () => 'sub/../../outside/secret.txt'],
    ['many dot-dots', () => `${'../'.repeat(50)}etc/passwd`],
    ['an absolute path', () => at('outside/secret.txt')],
    ['an absolute path that starts like a grant', () => `${at('home')}/../outside/secret.txt`],
    ['a sibling whose name starts with that of a grant', () => at('home-secret')],
    ['/etc/passwd', () => '/etc/passwd'],
    ['/proc/self/environ', () => '/proc/self/environ'],
    ['/proc/self/root', () => `/proc/self/root${at('outside/secret.txt')}`],
    ['/proc/self/cwd', () => '/proc/self/cwd/../outside/secret.txt'],
    ['/dev/mem', () => '/dev/mem'],
    ['/dev/fd', () => '/dev/fd/0/../../../etc/passwd'],
    ['a device name with dots', () => '/dev/./null/../../etc/passwd'],
  ];

  test.each(escapes)('reading by %s is refused', (_name, path) => {
    expect(readAll(path())).toBe(-errno.EACCES);
    expect(host.stat(path(), true)).toBe(-errno.EACCES);
    expect(host.stat(path(), false)).toBe(-errno.EACCES);
  });

  test.each(escapes)('changing by %s is refused', (_name, path) => {
    expect(writeAll(path(), 'x')).toBe(-errno.EACCES);
    expect(host.unlink(path())).toBe(-errno.EACCES);
    expect(host.mkdir(path(), 0o777)).toBe(-errno.EACCES);
    expect(host.rename(path(), 'mine')).toBe(-errno.EACCES);
    expect(host.rename('a.txt', path())).toBe(-errno.EACCES);
    expect(host.link(path(), 'mine')).toBe(-errno.EACCES);
    expect(host.link('a.txt', path())).toBe(-errno.EACCES);
    expect(host.symlink('a.txt', path())).toBe(-errno.EACCES);
    expect(host.chmod(path(), 0o777)).toBe(-errno.EACCES);
    expect(host.utimes(path(), true, 0n, 0n)).toBe(-errno.EACCES);
    expect(host.chdir(path())).toBe(-errno.EACCES);
    expect(readFileSync(at('outside/secret.txt'), 'utf8')).toBe('secret');
    expect(existsSync(at('home/mine'))).toBe(false);
  });

  test('a link that points outside is refused, in every position', () => {
    symlinkSync(at('outside'), at('home/folder-link'));
    symlinkSync(at('outside/secret.txt'), at('home/file-link'));
    symlinkSync('../outside', at('home/relative-link'));
    symlinkSync('folder-link', at('home/link-to-link'));
    symlinkSync('/proc/self/root', at('home/root-link'));
    for (const path of [
      'file-link',
      'folder-link/secret.txt',
      'relative-link/secret.txt',
      'link-to-link/secret.txt',
      'folder-link/../outside/secret.txt',
      `root-link${at('outside/secret.txt')}`,
    ]) {
      expect(readAll(path)).toBe(-errno.EACCES);
      expect(writeAll(path, 'x')).toBe(-errno.EACCES);
    }
    expect(host.open('folder-link', open.O_DIRECTORY, 0)).toBe(-errno.EACCES);
    expect(host.chdir('folder-link')).toBe(-errno.EACCES);
    expect(readFileSync(at('outside/secret.txt'), 'utf8')).toBe('secret');
  });

  test('a dangling link to outside creates nothing there', () => {
    symlinkSync(at('outside/new.txt'), at('home/dangling'));
    expect(writeAll('dangling', 'x')).toBe(-errno.EACCES);
    expect(host.open('dangling', createFlags | open.O_EXCL, 0o644)).toBe(-errno.EEXIST);
    expect(existsSync(at('outside/new.txt'))).toBe(false);
  });

  test('the link itself can be looked at and removed', () => {
    symlinkSync(at('outside/secret.txt'), at('home/link'));
    expect(host.readlink('link')).toBe(at('outside/secret.txt'));
    expect(typeof host.stat('link', false)).toBe('object');
    expect(host.unlink('link')).toBe(0);
    expect(existsSync(at('outside/secret.txt'))).toBe(true);
  });

  test('a program cannot make a link that leads outside', () => {
    expect(host.symlink(at('outside'), 'mine')).toBe(-errno.EACCES);
    expect(host.symlink('../outside/secret.txt', 'mine')).toBe(-errno.EACCES);
    expect(host.symlink('sub/../../outside', 'mine')).toBe(-errno.EACCES);
    expect(host.symlink('../a.txt', 'sub/fine')).toBe(0);
    expect(host.symlink('does/not/exist/yet', 'later')).toBe(0);
  });

  test('moving a relative link changes where it leads, and it is checked when used', () => {
    mkdirSync(at('home/sub/deeper'));
    expect(host.symlink('../../outside/secret.txt', 'sub/deeper/link')).toBe(0);
    expect(host.rename('sub/deeper/link', 'sub/link')).toBe(0);
    expect(readAll('sub/link')).toBe(-errno.EACCES);
  });

  test('cycles of links end', () => {
    symlinkSync('two', at('home/one'));
    symlinkSync('one', at('home/two'));
    expect(readAll('one')).toBe(-errno.ELOOP);
  });

  test('the grants themselves cannot be removed or moved', () => {
    expect(host.rmdir(at('shared'))).toBe(-errno.EBUSY);
    expect(host.rename(at('shared'), 'mine')).toBe(-errno.EBUSY);
    expect(host.rename('sub', at('shared'))).toBe(-errno.EBUSY);
    expect(host.unlink('.')).toBe(-errno.EBUSY);
  });

  test('a path with a zero byte is refused', () => {
    expect(readAll('a.txt\0/../../x')).toBe(-errno.EINVAL);
  });

  test('the folders above a grant exist, and nothing else about them can be observed', () => {
    for (const path of [base, '/', '/var', '..'])
      expect(host.stat(path, false)).toMatchObject({ mode: 0o040555 });
    expect(host.open(base, 0, 0)).toBe(-errno.EACCES);
  });

  test('whether a name exists outside cannot be observed', () => {
    expect(host.stat(at('outside/secret.txt'), true)).toBe(host.stat(at('outside/nothing'), true));
  });
});

describe('a temporary folder of its own', () => {
  test('/tmp is private, works, and is removed afterwards', () => {
    const name = `/tmp/redzone-test-${process.pid}`;
    expect(writeAll(name, 'mine')).toBe(4);
    expect(readAll(name)).toBe('mine');
    expect(existsSync(name)).toBe(false);
    expect(readAll('/tmp/../etc/passwd')).toBe(-errno.EACCES);
    expect(readAll(at('home/a.txt'))).toBe('inside');
    expect(host.chdir('/tmp')).toBe(0);
    expect(host.getcwd()).toBe('/tmp');
    expect(readAll(name.slice('/tmp/'.length))).toBe('mine');
  });
});
