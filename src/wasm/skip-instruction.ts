/** Skips over the instructions of a function body: the number of bytes that follow an opcode. */
import { assert } from '../support/assert.js';
import type { ByteReader } from './wasm-bytes.js';

/** Moves past the declarations of locals with which a body begins. */
export function skipLocals(body: ByteReader): void {
  for (let groups = body.u32(); groups > 0; groups--) {
    body.skipLeb();
    body.skip(1);
  }
}

/** Moves past what follows an opcode. */
export function skipImmediates(body: ByteReader, opcode: number): void {
  if (opcode >= 0x28 && opcode <= 0x3e) {
    body.skipLeb();
    body.skipLeb();
    return;
  }
  switch (opcode) {
    case 0x02:
    case 0x03:
    case 0x04:
    case 0x06:
    case 0x07:
    case 0x08:
    case 0x09:
    case 0x0c:
    case 0x0d:
    case 0x10:
    case 0x18:
    case 0x20:
    case 0x21:
    case 0x22:
    case 0x23:
    case 0x24:
    case 0x25:
    case 0x26:
    case 0x3f:
    case 0x40:
    case 0x41:
    case 0x42:
    case 0xd0:
    case 0xd2:
      body.skipLeb();
      return;
    case 0x11:
      body.skipLeb();
      body.skipLeb();
      return;
    case 0x0e:
      for (let targets = body.u32(); targets >= 0; targets--) body.skipLeb();
      return;
    case 0x1c:
      for (let types = body.u32(); types > 0; types--) body.skip(1);
      return;
    case 0x43:
      body.skip(4);
      return;
    case 0x44:
      body.skip(8);
      return;
    case 0xfc:
      skipBulk(body);
      return;
    case 0xfd:
      skipVector(body);
      return;
    case 0xfe:
      if (body.u32() === 0x03) body.skip(1);
      else {
        body.skipLeb();
        body.skipLeb();
      }
      return;
  }
}

function skipBulk(body: ByteReader): void {
  const opcode = body.u32();
  if (opcode < 8) return;
  assert(opcode <= 17, `unknown instruction 0xfc ${opcode}`);
  body.skipLeb();
  if (opcode === 8 || opcode === 10 || opcode === 12 || opcode === 14) body.skipLeb();
}

function skipVector(body: ByteReader): void {
  const opcode = body.u32();
  if (opcode <= 0x0b || opcode === 0x5c || opcode === 0x5d) {
    body.skipLeb();
    body.skipLeb();
  } else if (opcode === 0x0c || opcode === 0x0d) body.skip(16);
  else if (opcode >= 0x15 && opcode <= 0x22) body.skip(1);
  else if (opcode >= 0x54 && opcode <= 0x5b) {
    body.skipLeb();
    body.skipLeb();
    body.skip(1);
  }
}
