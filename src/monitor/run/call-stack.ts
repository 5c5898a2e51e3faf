/**
 * The call stack of the running program, read from its memory: a slot for each active call, which
 * holds the site of the call.
 */
import type { CodeSite } from '../sites.js';
import type { AccessReport } from './explain-report.js';
import type { ProgramMemory } from './program-memory.js';
import { framesAt, type ProgramSites } from './program-sites.js';
import type { RuntimeExports } from './runtime-exports.js';

export class CallStack {
  constructor(
    private readonly program: ProgramMemory,
    private readonly sites: ProgramSites,
    private readonly exports: () => RuntimeExports,
  ) {}

  /**
   * The sites of the current stack, innermost first; `site` is the location in the innermost
   * function, 0 if it is in a call.
   */
  sitesFrom(site: number): CodeSite[] {
    const callers = this.callSites();
    const here = site === 0 ? undefined : this.sites.site(site >>> 0);
    if (here === undefined) return this.sites.stack(callers);
    return [...framesAt(here), ...this.sites.stack(here.hasFrame ? callers.slice(1) : callers)];
  }

  /** The context of a report about an access. */
  surroundings(site = 0): Pick<AccessReport, 'sites' | 'depth'> {
    return { sites: this.sitesFrom(site), depth: this.program.variable(this.exports().__rz_depth) };
  }

  callers(): CodeSite[] {
    return this.sites.stack(this.callSites());
  }

  /** The sites of the active calls as addresses, innermost first. */
  callSites(): number[] {
    const sites: number[] = [];
    const { first, last } = this.#slots();
    for (let at = last; at >= first; at -= 4) sites.push(this.program.word(at));
    return sites;
  }

  /**
   * The site and the sites of its callers up to the first one in the program's own code, which
   * determine the line of a finding.
   */
  lineFrom(site: number): string {
    let line = `${site}`;
    if (site !== 0 && !this.isLibrarys(site)) return line;
    const { first, last } = this.#slots();
    for (let at = last; at >= first; at -= 4) {
      const caller = this.program.word(at);
      line += ` ${caller}`;
      if (!this.isLibrarys(caller)) break;
    }
    return line;
  }

  /** The address of the outermost slot with a site of the program, if there is one. */
  programSlot(): number | undefined {
    const { first, last } = this.#slots();
    for (let at = first; at <= last; at += 4) if (!this.isLibrarys(this.program.word(at))) return at;
    return undefined;
  }

  /** Whether the site is in the C library. */
  isLibrarys(site: number): boolean {
    return this.sites.site(site >>> 0)?.inLibrary === true;
  }

  /** The addresses of the outermost and the innermost slot. */
  #slots(): { readonly first: number; readonly last: number } {
    const { __rz_depth, __rz_calls_start } = this.exports();
    return {
      first: this.program.variable(__rz_calls_start),
      last: this.program.variable(__rz_depth) - 4,
    };
  }
}
