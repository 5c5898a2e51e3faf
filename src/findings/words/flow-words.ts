/** Messages for values that depend on inputs or secrets. */
import type { FlowFacts, FlowSink, FlowSource } from '../facts.js';
import type { Note } from '../finding.js';
import type { Description } from './description.js';

/** `library` is the C library function that the program called, if the sink is inside it. */
export function describeFlow(facts: FlowFacts, library: string | undefined): Description {
  const { sink, source, names, way } = facts;
  const origin = source === undefined ? `data labelled ${quoted(names)}` : bytesOf(source);
  const notes = [
    ...(source?.location === undefined ? [] : [arrival(source, source.location)]),
    ...steps(way),
  ];
  if (facts.isSecret) {
    const isIndex = sink === 'index' || sink === 'lookup';
    const what = isIndex ? 'an address' : sink === 'extent' ? 'the size of a call' : 'a branch';
    const isPlain = source?.what === 'label' && source.name === 'secret';
    const where = library === undefined ? '' : ` in \`${library}\``;
    return {
      code: isIndex ? 'secret-dependent-index' : 'secret-dependent-branch',
      message: `${what}${where} depends on ${origin}${isPlain ? '' : ', which is secret'}`,
      notes,
      help: isIndex
        ? 'read all elements and choose with a mask, so that the cache does not depend on the secret'
        : sink === 'extent'
          ? 'use a fixed size, so that the time does not depend on the secret'
          : 'compute both results and choose with a mask, so that the time does not depend on the secret',
    };
  }
  if (sink === 'expected-none')
    return {
      code: 'tainted-sink',
      message: `${origin} ${source?.first === source?.last ? 'reaches' : 'reach'} a location where the label ${quoted(names)} is not allowed`,
      notes,
      help: 'follow the assignments back to the unwanted one',
    };
  return {
    code: 'tainted-sink',
    message: `${decided[sink]} ${origin}`,
    notes,
    help: helps[sink],
  };
}

const decided: Readonly<Record<FlowSink, string>> = {
  'expected-none': '',
  size: 'a size is computed from',
  index: 'an address is computed from',
  format: 'a format string contains',
  path: 'the path of a file contains',
  command: 'a command contains',
  loop: 'the number of iterations of a loop is computed from',
  divisor: 'a divisor is computed from',
  call: 'an argument of a sink is computed from',
  branch: 'a branch depends on',
  lookup: 'an address depends on',
  extent: 'the size of a call depends on',
};

const compare = 'compare it with its limits in a function that --taint-rules names as a sanitizer';
const helps: Readonly<Record<FlowSink, string>> = {
  'expected-none': '',
  size: compare,
  index: compare,
  format: 'print it with "%s"',
  path: 'accept only names without `/` and `..`, in a function that --taint-rules names as a sanitizer',
  command: 'start the program with a list of arguments, without a shell',
  loop: compare,
  divisor: compare,
  call: 'check it in a function that --taint-rules names as a sanitizer',
  branch: '',
  lookup: '',
  extent: '',
};

/** "bytes 0 to 3 of standard input". */
function bytesOf(source: FlowSource): string {
  if (source.what === 'function') return `data from ${nounOf(source)}`;
  const { first, last } = source;
  return `${first === last ? `byte ${first}` : `bytes ${first} to ${last}`} of ${nounOf(source)}`;
}

function nounOf({ what, name }: FlowSource): string {
  switch (what) {
    case 'stdin':
      return 'standard input';
    case 'argument':
      return `argument ${name}`;
    case 'variable':
      return `the environment variable \`${name}\``;
    case 'file':
    case 'function':
      return `\`${name}\``;
    case 'input':
      return `the input \`${name}\``;
    case 'label':
      return name === 'secret' ? 'a secret' : `data labelled ${quoted(name.split(', '))}`;
  }
}

function quoted(names: readonly string[]): string {
  return names.map(name => `\`${name}\``).join(', ');
}

function arrival(source: FlowSource, location: NonNullable<Note['location']>): Note {
  const verb = source.what === 'label' ? 'labelled' : source.what === 'function' ? 'called' : 'read';
  return { message: verb === 'read' ? `${nounOf(source)} is read here` : `it is ${verb} here`, location };
}

/** The text of a note about an assignment along the flow. */
export const assignedHere = 'assigned here';

function steps(way: FlowFacts['way']): Note[] {
  return way.map(location => ({ message: assignedHere, location }));
}
