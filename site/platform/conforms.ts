/**
 * Makes the type checker verify that the exports of a module of this folder can replace those of
 * the module of the same name in `src`. The bundler finds missing exports.
 *
 * Workers are an exception: Node's have more than we use.
 */
import type * as machineHostStreams from '../../src/host/standard-streams.js';
import type * as machineCompression from '../../src/platform/compression.js';
import type * as machineHandles from '../../src/platform/file-handle.js';
import type * as machineFiles from '../../src/platform/files.js';
import type * as machineLock from '../../src/platform/folder-lock.js';
import type * as machineStamp from '../../src/platform/installation-stamp.js';
import type * as machineModules from '../../src/platform/load-module.js';
import type * as machineNative from '../../src/platform/native-calls.js';
import type * as machineTurns from '../../src/platform/next-turn.js';
import type * as machineNode from '../../src/platform/node.js';
import type * as machineVersion from '../../src/platform/own-version.js';
import type * as machineMemory from '../../src/platform/process-memory.js';
import type * as machinePrograms from '../../src/platform/spawn-program.js';
import type * as machineSync from '../../src/platform/sync-service.js';
import type * as machineTrusted from '../../src/platform/trusted-wasm.js';
import type * as compression from './compression.js';
import type * as handles from './file-handle.js';
import type * as files from './files.js';
import type * as lock from './folder-lock.js';
import type * as stamp from './installation-stamp.js';
import type * as modules from './load-module.js';
import type * as native from './native-calls.js';
import type * as turns from './next-turn.js';
import type * as node from './node.js';
import type * as version from './own-version.js';
import type * as memory from './process-memory.js';
import type * as programs from './spawn-program.js';
import type * as streams from './standard-streams.js';
import type * as sync from './sync-service.js';
import type * as trusted from './trusted-wasm.js';

/** The exports of both, with the page's types. */
type Common<Page, Machine> = Pick<Page, Extract<keyof Page, keyof Machine>>;
/** The names under which the page's export cannot replace the machine's. */
type Differing<Page, Machine> = {
  [Name in keyof Common<Page, Machine>]: Name extends keyof Machine
    ? Page[Name & keyof Page] extends Machine[Name]
      ? never
      : Name
    : never;
}[keyof Common<Page, Machine>];
type Nothing<Names extends never> = Names;

export type Conforming =
  | Nothing<Differing<typeof compression, typeof machineCompression>>
  | Nothing<Differing<typeof files, typeof machineFiles>>
  | Nothing<
      Exclude<Differing<typeof handles, typeof machineHandles>, 'openSync' | 'writeSync' | 'ftruncateSync'>
    >
  | Nothing<Differing<typeof lock, typeof machineLock>>
  | Nothing<Differing<typeof modules, typeof machineModules>>
  | Nothing<Differing<typeof memory, typeof machineMemory>>
  | Nothing<Differing<typeof native, typeof machineNative>>
  | Nothing<Exclude<Differing<typeof node, typeof machineNode>, 'startWorker' | 'startWorkerWith'>>
  | Nothing<Differing<typeof programs, typeof machinePrograms>>
  | Nothing<Differing<typeof stamp, typeof machineStamp>>
  | Nothing<Exclude<Differing<typeof streams, typeof machineHostStreams>, 'InheritedOutput'>>
  | Nothing<Differing<typeof sync, typeof machineSync>>
  | Nothing<Differing<typeof trusted, typeof machineTrusted>>
  | Nothing<Differing<typeof turns, typeof machineTurns>>
  | Nothing<Differing<typeof version, typeof machineVersion>>;
