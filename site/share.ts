/**
 * A program as a link: its name, its text and what it is given, compressed, in the fragment, which
 * browsers do not send to any server.
 *
 *     #1=BASE64URL(deflate(JSON))
 */
import type { Settings } from './page.js';

export interface Shared {
  readonly name: string;
  readonly text: string;
  readonly tab?: string;
  readonly settings?: Settings;
}

const version = '1';

/** A link that is longer opens nowhere. */
const mostCharacters = 1 << 20;
/** A link may be compressed so well that its contents would not fit into memory. */
const mostBytes = 16 << 20;

async function through(bytes: Uint8Array, stream: GenericTransformStream): Promise<Uint8Array> {
  const piped = new Blob([bytes as BlobPart]).stream().pipeThrough(stream as ReadableWritablePair);
  const pieces: Uint8Array[] = [];
  let total = 0;
  const reader = piped.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    pieces.push(piece.value);
    total += piece.value.length;
    if (total <= mostBytes) continue;
    await reader.cancel();
    throw new Error('the contents of a link are too long');
  }
  return new Uint8Array(await new Blob(pieces as BlobPart[]).arrayBuffer());
}

/** Undefined if the program is too long for a link. */
export async function fragmentOf(shared: Shared): Promise<string | undefined> {
  const bytes = new TextEncoder().encode(JSON.stringify(shared));
  const packed = await through(bytes, new CompressionStream('deflate-raw'));
  let text = '';
  for (const byte of packed) text += String.fromCharCode(byte);
  const fragment = `#${version}=${btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
  return bytes.length > mostBytes || fragment.length > mostCharacters ? undefined : fragment;
}

/** Undefined if it is not a link of ours, or a damaged one. */
export async function sharedIn(fragment: string): Promise<Shared | undefined> {
  if (!fragment.startsWith(`#${version}=`) || fragment.length > mostCharacters) return undefined;
  try {
    const text = atob(
      fragment
        .slice(version.length + 2)
        .replaceAll('-', '+')
        .replaceAll('_', '/'),
    );
    const packed = Uint8Array.from(text, character => character.charCodeAt(0));
    const plain = await through(packed, new DecompressionStream('deflate-raw'));
    const shared = JSON.parse(new TextDecoder().decode(plain)) as Shared;
    return isShared(shared) ? shared : undefined;
  } catch {
    return undefined;
  }
}

/** Whether it has the fields that it should have. */
export function isShared({ name, text, tab = '', settings = {} }: Shared): boolean {
  const texts: unknown[] = [text, tab, ...Object.values(settings)];
  return /^[\w.-]{1,80}$/.test(String(name)) && texts.every(value => typeof value === 'string');
}
