/**
 * The folder that an exploration writes: for each path `NNNNNN.ktest`, and beside it the same as JSON for people.
 *
 * Tests of an earlier run in the same folder are removed first, so that what is there belongs together.
 */
import type { Finding } from '../findings/finding.js';
import { filesBelow, removeFile, writeNewFile } from '../platform/files.js';
import type { FinishedPath, TestInput } from './explorer.js';
import { writeKTest } from './ktest.js';
import type { Ending } from './path-end.js';

const ours = /^\d{6,}\.(ktest|json)$/;
const encoder = new TextEncoder();

export class TestFolder {
  readonly #folder: string;
  readonly #arguments: readonly string[];
  written = 0;

  constructor(folder: string, args: readonly string[]) {
    this.#folder = folder;
    this.#arguments = args;
    for (const file of filesBelow(folder)) if (ours.test(file)) removeFile(`${folder}/${file}`);
  }

  /** Returns the path of the `.ktest` file. */
  write({ ending, inputs, state }: FinishedPath): string {
    const name = `${this.#folder}/${String(++this.written).padStart(6, '0')}`;
    writeNewFile(`${name}.ktest`, writeKTest({ arguments: this.#arguments, objects: inputs }));
    const description = {
      end: describeEnding(ending),
      inputs: inputs.map(describeInput),
      instructions: state.instructions,
      forks: state.depth,
      ...(state.notes.length > 0 ? { notes: state.notes } : {}),
    };
    writeNewFile(`${name}.json`, encoder.encode(`${JSON.stringify(description, null, 2)}\n`));
    return `${name}.ktest`;
  }
}

function describeEnding(ending: Ending): object {
  switch (ending.kind) {
    case 'exit':
      return { kind: 'exit', status: ending.status };
    case 'finding':
      return { kind: 'finding', ...brief(ending.finding) };
    case 'partial':
      return { kind: 'partial', reason: ending.reason };
    case 'unwanted':
      return { kind: 'unwanted' };
  }
}

function brief({ code, message, location }: Finding): object {
  return { code, message, location };
}

/** Bytes in hexadecimal, and as what they may mean: a number, or a text. */
function describeInput({ name, bytes }: TestInput): object {
  const hex = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join(' ');
  const isNumber = [1, 2, 4, 8].includes(bytes.length);
  return {
    name,
    bytes: hex,
    ...(isNumber ? { signed: signedValue(bytes) } : {}),
    text: Array.from(bytes, byte => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join(''),
  };
}

function signedValue(bytes: Uint8Array): number | string {
  let value = 0n;
  for (const byte of bytes.toReversed()) value = (value << 8n) | BigInt(byte);
  const signed = BigInt.asIntN(8 * bytes.length, value);
  return signed >= Number.MIN_SAFE_INTEGER && signed <= Number.MAX_SAFE_INTEGER
    ? Number(signed)
    : String(signed);
}
