/**
 * The command line as a whole, in this process; and once as a real process, for what only that
 * shows.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.js';
import { codes } from '../../src/index.js';
import { type CommandName, commands } from '../../src/options/commands.js';
import { memoryIo, redzone } from './memory-io.js';

const root = join(import.meta.dirname, '../..');
const bin = join(root, 'bin/redzone.js');
const moduleUrl = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
const names = Object.keys(commands) as CommandName[];

describe('redzone', () => {
  test('without arguments shows examples first, then every command', async () => {
    const { exitCode, stdout } = await redzone([]);
    expect(exitCode).toBe(0);
    expect(stdout.indexOf('Examples')).toBeLessThan(stdout.indexOf('Commands'));
    for (const name of names) expect(stdout).toContain(`  ${commands[name].usage}`);
    for (const word of ['--help', '--help=all', 'help'])
      expect(await redzone([word])).toEqual({ exitCode, stdout, stderr: '' });
  });

  test.each(names)('%s --help works', async name => {
    const { exitCode, stdout } = await redzone([name, '--help']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Examples');
    expect(await redzone(['help', name])).toEqual({ exitCode, stdout, stderr: '' });
  });

  test('help of an unknown command names a similar one', async () => {
    expect((await redzone(['help', 'chekc'])).stderr).toContain('did you mean `redzone check`?');
  });

  test('--json gives one document, for errors too', async () => {
    const { exitCode, stdout, stderr } = await redzone(['explain', 'use-after-fee', '--json']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('did you mean `redzone explain use-after-free`?');
    expect(JSON.parse(stdout)).toEqual({
      schema: 1,
      command: 'explain',
      error: {
        kind: 'usage',
        diagnostics: [
          {
            severity: 'error',
            message: "there is no code 'use-after-fee'",
            help: 'did you mean `redzone explain use-after-free`?',
          },
        ],
      },
    });
  });

  test.each([
    [['chek'], 'did you mean `redzone check`?'],
    [['a.c'], 'did you mean `redzone check a.c`?'],
    [['frobnicate'], '`redzone --help` lists the commands'],
    [['explain', '--colour'], 'did you mean --color?'],
    [['explain', 'leak'], 'did you mean `redzone explain memory-leak`?'],
    [['explain', 'UAF'], 'did you mean `redzone explain use-after-free`?'],
    [
      ['explain', 'buffer'],
      'did you mean heap-buffer-overflow, stack-buffer-overflow, global-buffer-overflow?',
    ],
    [['explain', 'nonsense'], '`redzone explain` lists all codes'],
    [['check', 'README.md'], "'README.md' is not a C file"],
    [['explore', 'README.md'], 'arguments of the program follow `--`'],
    [['check', '--max-memory', '1', 'a.c'], "--max-memory needs at least 64KB, not '1'"],
    [['fuzz', '--max-len', '0', 'a.c'], "--max-len needs at least 1 byte, not '0'"],
  ])('%j is bad usage, with a hint', async (args, hint) => {
    const { exitCode, stderr } = await redzone(args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(hint);
  });
});

describe('explain', () => {
  test('lists all codes', async () => {
    const { stdout } = await redzone(['explain']);
    for (const code of Object.keys(codes)) expect(stdout).toContain(`${code} `);
  });

  test.each(Object.keys(codes))('prints the page of %s', async code => {
    const { exitCode, stdout } = await redzone(['explain', code]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`// <-- ${code}`);
    expect(stdout).not.toContain('```');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  });

  test('colours only on a terminal', async () => {
    const coloured = async (args: string[], terminal: boolean, env = {}) =>
      (await redzone(['explain', 'abort', ...args], { terminal, env })).stdout.includes('\u001b[');
    expect(await coloured([], true)).toBe(true);
    expect(await coloured([], false)).toBe(false);
    expect(await coloured([], true, { NO_COLOR: '1' })).toBe(false);
    expect(await coloured(['--color=always'], false, { NO_COLOR: '1' })).toBe(true);
    expect(await coloured(['--color=never'], true)).toBe(false);
  });
});

test.each(['lsp', 'serve', 'doctor', 'worker', 'status'])(
  '%s refuses a word that it would ignore',
  async name => {
    const { exitCode, stderr } = await redzone([name, 'foo']);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(new RegExp(`error: ${name} takes no (files|arguments)`));
  },
);

describe('doctor', () => {
  test('reports a healthy installation', async () => {
    const { exitCode, stdout } = await redzone(['doctor', '--json']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ command: 'doctor', healthy: true, selfTest: { ok: true } });
  });

  test.each(['', 'relative'])('keeps the cache out of the working folder with HOME=%s', HOME => {
    const cwd = mkdtempSync(join(tmpdir(), 'redzone-home-'));
    try {
      // Without REDZONE_CACHE, and with a place that is relative, which is to be ignored.
      const env = { PATH: process.env.PATH, HOME, XDG_CACHE_HOME: 'relative' };
      const { stdout } = spawnSync(process.execPath, [bin, 'doctor', '--json'], {
        cwd,
        env,
        encoding: 'utf8',
      });
      expect(isAbsolute(JSON.parse(stdout).cache.folder), stdout).toBe(true);
      expect(JSON.parse(stdout).cache.folder.startsWith(cwd)).toBe(false);
      expect(readdirSync(cwd)).toEqual([]);
    } finally {
      rmSync(cwd, { recursive: true });
    }
  });
});

test('an unexpected exception is an internal error: it says what to report, and exits with 125', async () => {
  const io = memoryIo();
  const broken = {
    ...io,
    stdout: {
      ...io.stdout,
      write: () => {
        throw new TypeError('boom');
      },
    },
  };
  expect(await main(['explain', 'abort', '--color=never'], broken)).toBe(125);
  expect(io.written.stderr).toContain('this is a defect in Redzone');
  expect(io.written.stderr).toContain('TypeError: boom');
  expect(io.written.stderr).toMatch(/redzone \d+\.\d+\.\d+, node v/);
  expect(io.written.stderr).toContain('redzone explain abort --color=never\n');
});

describe('the process', () => {
  const modulesOf: Record<string, string[]> = JSON.parse(
    readFileSync(new URL('../../dist/bundle/modules.json', import.meta.url), 'utf8'),
  );

  /** The modules that are loaded, and stdout. */
  function loadedBy(...args: string[]): { modules: string[]; stdout: string } {
    const hooks = `import { writeSync } from 'node:fs';
      export function load(url, context, next) { writeSync(2, 'loaded ' + url + '\\n'); return next(url, context); }`;
    const preload = `import { register } from 'node:module'; register(${JSON.stringify(moduleUrl(hooks))});`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--import', moduleUrl(preload), bin, ...args], {
      encoding: 'utf8',
    });
    const files = Array.from(stderr.matchAll(/^loaded file:.*(dist\/bundle\/.*)$/gm), ([, file]) => file!);
    return { modules: files.flatMap(file => modulesOf[file]!), stdout };
  }

  test('--version loads almost no modules', () => {
    const { modules, stdout } = loadedBy('--version');
    expect(stdout).toMatch(/^\d+\.\d+\.\d+$/m);
    expect(modules.sort()).toEqual(['dist/cli/io.js', 'dist/cli/main.js', 'dist/platform/own-version.js']);
  });

  test('a command loads only the engines, compilers and solvers that it uses', () => {
    const { modules } = loadedBy('explain', 'abort');
    expect(modules).toContain('dist/index.js');
    // `*-names.js` are the lists that options choose from.
    const engine = /^dist\/(ir|front|passes|explore|solver|kdalloc|hashtable)\/(?!(\w+\/)?[\w-]+-names\.js$)/;
    expect(modules.filter(module => engine.test(module))).toEqual([]);
    expect(modules.length).toBeLessThan(100);
  });

  test('exits 125 and says what to report when something escapes every handler', () => {
    const preload = moduleUrl(`setInterval(() => {
      if (process.listenerCount('uncaughtException') > 0) throw new Error('boom');
    }, 5);`);
    const { status, stderr } = spawnSync(process.execPath, ['--import', preload, bin, 'doctor'], {
      encoding: 'utf8',
    });
    expect(status).toBe(125);
    expect(stderr).toMatch(
      /^internal error: this is a defect in Redzone.*Error: boom.*please report.*node v\d+.*redzone doctor\n$/s,
    );
  });

  test('stops at the first Ctrl-C, with the exit code for inconclusive', async () => {
    const child = spawn(process.execPath, [bin, 'ir', '-'], { stdio: ['pipe', 'pipe', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', chunk => {
      stderr += chunk;
    });
    // More bytes than a pipe holds: once they are written, the program is reading, and waits for an
    // end of file that never comes.
    child.stdin.write(' '.repeat(1 << 20), () => child.kill('SIGINT'));
    const [code] = await once(child, 'close');
    expect(stderr).toBe('\ninterrupted: stopping; press Ctrl-C again to end at once\n');
    expect(code).toBe(3);
  });

  test('does not fail if the reader of its output stops early', () => {
    const script = `"${process.execPath}" "${bin}" explain use-after-free | head -n 1; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout).toBe('use-after-free\n0\n');
  });
});
