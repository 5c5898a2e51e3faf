/** Tables that live as long as the process must not keep the texts of modules alive. */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { assert } from '../support/assert.js';
import { readModule } from './reader.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function usedBytes(): number {
  collectGarbage();
  return getHeapStatistics().used_heap_size;
}

/** A module of 1 MB that has names which no other module has. */
function read(number: number): void {
  const name = `a.name.that.is.long.enough.${number}`;
  const text = `; ${number.toString().repeat(1_000_000).slice(0, 1_000_000)}
    %struct.${name} = type { i32 }
    @g = global [2 x %struct.${name}] zeroinitializer
    define void @f() "${name}"="${name}" { ret void }
  `;
  // As it is read from a file: one string, not a tree of parts.
  const { kind } = readModule(Buffer.from(text).toString(), 'test.ll');
  assert(kind === 'module', 'the text is IR');
}

test('the texts of modules that were read are not kept', () => {
  read(0);
  const before = usedBytes();
  for (let number = 1; number <= 40; number++) read(number);
  expect(usedBytes() - before).toBeLessThan(10e6);
});
