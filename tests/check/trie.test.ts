/**
 * The Patricia trie against an array of blocks, and its search for the longest common prefix
 * against `clz`.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { check } from '../../src/index.js';
import { Random } from '../../src/support/random.js';

interface Block {
  readonly address: number;
  readonly bytes: number;
}

test('blocks are found at their addresses, after any insertions and removals', async () => {
  const random = new Random(11);
  const operations: string[] = [];
  const expected: string[] = [];
  let blocks: Block[] = [];
  const between = (from: number, to: number) => from + random.below(to - from);
  // A crowded corner, and the whole range of addresses.
  const anyAddress = () => (random.below(2) === 0 ? between(0, 4096) : between(0, 2 ** 30)) & ~7;

  for (let step = 0; step < 8000; step++) {
    const [address, bytes] = [anyAddress(), between(0, 64)];
    const overlaps = blocks.some(
      block =>
        block.address < address + Math.max(bytes, 1) && address < block.address + Math.max(block.bytes, 1),
    );
    const choice = between(0, 10);
    if (choice < 3 && !overlaps) {
      blocks.push({ address, bytes });
      operations.push(`I ${address} ${bytes}`);
    } else if (choice === 3) {
      const range = random.below(20) === 0 ? 2 ** 20 : 64;
      blocks = blocks.filter(block => block.address < address || block.address >= address + range);
      operations.push(`R ${address} ${range}`);
    } else {
      const [near] = blocks.length === 0 ? [] : [blocks[random.below(blocks.length)]!];
      const asked = near === undefined || choice < 6 ? address : near.address + between(0, near.bytes + 8);
      const found = blocks.find(
        block => asked === block.address || (asked > block.address && asked < block.address + block.bytes),
      );
      operations.push(`F ${asked}`);
      const of = ` of ${blocks.length}`;
      expected.push(
        found === undefined
          ? `none${of}`
          : `${found.address} ${found.bytes} ${(found.address ^ found.bytes) >>> 0}${of}`,
      );
    }
  }
  for (let pair = 0; pair < 800; pair++) {
    const a = between(0, 2 ** 32);
    const b = (a ^ (1 << random.below(32)) ^ (random.below(2) * random.below(1000))) >>> 0;
    if (a === b) continue;
    operations.push(`P ${a} ${b}`);
    const bits = Math.clz32(a ^ b);
    expected.push(String(bits === 0 ? 0 : (-1 << (32 - bits)) >>> 0));
  }
  expect(await answersTo(operations)).toEqual(expected);
});

async function answersTo(operations: readonly string[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'redzone-trie-'));
  try {
    writeFileSync(join(folder, 'operations'), operations.join('\n'));
    const inputs = [join(import.meta.dirname, 'trie.c')];
    const { findings } = await check({ inputs, folders: [folder] });
    expect(findings).toEqual([]);
    return readFileSync(join(folder, 'answers'), 'utf8').trimEnd().split('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
