/**
 * The program under test cannot harm the host: under `check`, every access outside its folder
 * fails with an errno. `src/host/confinement.test.ts` tests the confinement itself; this is the
 * whole pipeline from C to the disk.
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
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkC } from './check-c.js';

/**
 * Tries to read, write, list, remove, rename and link to `path`; its exit status counts what was
 * possible.
 */
const burglar = `#include <dirent.h>
  #include <fcntl.h>
  #include <stdio.h>
  #include <stdlib.h>
  #include <sys/stat.h>
  #include <unistd.h>
  int main(int argc, char **argv) {
    int done = 0, fd;
    for (int i = 1; i < argc; i++) {
      const char *path = argv[i];
      char inside[600];
      struct stat status;
      DIR *folder;
      if ((fd = open(path, O_RDONLY)) >= 0) done++, close(fd);
      if ((fd = open(path, O_RDWR)) >= 0) done++, close(fd);
      if ((fd = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0644)) >= 0) done++, close(fd);
      if ((folder = opendir(path)) != NULL) done++, closedir(folder);
      snprintf(inside, sizeof inside, "%s/planted", path);
      if ((fd = open(inside, O_CREAT | O_WRONLY, 0644)) >= 0) done++, close(fd);
      if (mkdir(inside, 0755) == 0) done++;
      if (stat(path, &status) == 0 && S_ISREG(status.st_mode)) done++;
      if (rename("own.txt", path) == 0) done++;
      if (link(path, "linked") == 0) done++;
      if (symlink(path, "way-out") == 0 && (fd = open("way-out", O_RDONLY)) >= 0) done++, close(fd);
      unlink("way-out");
      if (unlink(path) == 0) done++;
    }
    return done;
  }`;

let base: string;
const at = (...parts: string[]) => join(base, ...parts);

beforeEach(() => {
  // Not below /tmp, which the host replaces by a folder of its own.
  base = realpathSync(mkdtempSync('/var/tmp/redzone-sandbox-'));
  mkdirSync(at('home'));
  mkdirSync(at('outside'));
  writeFileSync(at('home/own.txt'), 'own');
  writeFileSync(at('outside/secret.txt'), 'secret');
  symlinkSync(at('outside/secret.txt'), at('home/to-the-file'));
  symlinkSync(at('outside'), at('home/to-the-folder'));
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

test('no path leads outside the folder', async () => {
  const ways = [
    '../outside/secret.txt',
    './../outside/../outside/secret.txt',
    at('outside/secret.txt'),
    at('home/../outside/secret.txt'),
    'to-the-folder/secret.txt',
    'to-the-folder/../outside/secret.txt',
    '../outside/fresh.txt',
    '/etc/passwd',
    '/proc/self/environ',
  ];
  const report = await checkC(burglar, { folders: [at('home')], arguments: ways });
  expect(report.findings).toEqual([]);
  expect(report.program).toEqual({ exit: 0, signal: null });
  expect(readFileSync(at('outside/secret.txt'), 'utf8')).toBe('secret');
  expect(existsSync(at('outside/planted'))).toBe(false);
  expect(existsSync(at('outside/fresh.txt'))).toBe(false);
});

test('a link to the outside is never followed, though the program may use the link itself', async () => {
  const reads = `#include <fcntl.h>
    #include <unistd.h>
    int main(void) { return open("to-the-file", O_RDONLY) >= 0 || open("to-the-file", O_WRONLY | O_TRUNC) >= 0; }`;
  const report = await checkC(reads, { folders: [at('home')] });
  expect(report.program).toEqual({ exit: 0, signal: null });
  expect(readFileSync(at('outside/secret.txt'), 'utf8')).toBe('secret');
});

test('inside the folder all operations behave as natively', async () => {
  const report = await checkC(burglar, { folders: [at('home')], arguments: ['fresh.txt'] });
  expect(report.program?.exit).toBeGreaterThan(0);
  const granted = await checkC(burglar, {
    folders: [at('home'), at('outside')],
    arguments: [at('outside/secret.txt')],
  });
  expect(granted.program?.exit).toBeGreaterThan(0);
});
