/** Ends a process with all that it has started. They share our process group, as in a shell. */
import { readdirSync, readFileSync } from 'node:fs';

/** Parents first, so that they start no others. Without /proc, only the process itself. */
export function endProcesses(pid: number): void {
  const children = childrenByParent();
  const ended = [pid];
  for (const each of ended) ended.push(...(children.get(each) ?? []));
  for (const each of ended) {
    try {
      process.kill(each, 'SIGTERM');
    } catch {
      // It has ended by itself.
    }
  }
}

function childrenByParent(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const name of processNames()) {
    const parent = parentOf(name);
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  return children;
}

function processNames(): string[] {
  try {
    return readdirSync('/proc').filter(name => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** `1234 (name) S 1200 …`: the name may have spaces and parentheses. */
function parentOf(name: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
    return Number(/^.*\) \S (\d+)/s.exec(stat)?.[1]);
  } catch {
    return undefined;
  }
}
