/**
 * The imports through which the runtime and the checks in the program report errors: each becomes
 * the facts of a finding, unless it repeats an earlier report. `imports` is a table with a row for
 * each.
 */
import type { FindingFacts, RequestFacts } from '../../findings/facts.js';
import { arithmeticFacts, arrayName, canGoOn, handlerNames } from '../../findings/undefined-arithmetic.js';
import type { ImportFunctions } from '../../host/bind.js';
import {
  elementUses,
  innerBoundsHandlers,
  innerRangeHandler,
  innerTextHandler,
} from '../../passes/inner-array-handlers.js';
import {
  assumedAlignmentHandler,
  farPointerHandler,
  nullOffsetHandler,
  unsequencedHandler,
} from '../../passes/promise-handlers.js';
import { accessKinds, clientEnd, nullPageEnd, someBits } from '../memory-map.js';
import type { CallStack } from './call-stack.js';
import type { AccessReport, Explainer } from './explain-report.js';
import type { FindingLog } from './finding-log.js';
import type { ProgramMemory } from './program-memory.js';
import { userStack } from './program-sites.js';
import type { RuntimeExports } from './runtime-exports.js';

/** Used in place of the number of a block. */
const isNull = -1;

export class ReportImports {
  /** The last failed request for memory. */
  withoutMemory: RequestFacts | undefined;
  /** Whether the program failed after such a request. */
  isOutOfMemory = false;

  constructor(
    private readonly program: ProgramMemory,
    private readonly stack: CallStack,
    private readonly explainer: Explainer,
    private readonly log: FindingLog,
    private readonly exports: () => RuntimeExports,
  ) {}

  /** Called before the program is run again. */
  forget(): void {
    this.isOutOfMemory = false;
    this.withoutMemory = undefined;
  }

  imports(): ImportFunctions {
    return {
      ...Object.fromEntries(handlerNames.map(name => [name, this.#arithmetic(name)])),
      ...Object.fromEntries(innerBoundsHandlers.map(name => [name, this.#innerBounds(name)])),
      [innerTextHandler]: (to: bigint, room: bigint, limit: bigint) => {
        if (BigInt.asUintN(64, limit) <= room) return;
        const written = this.program.textLength(Number(BigInt.asUintN(32, to))) + 1;
        if (written > room) this.#leftArray(to, room, BigInt(written), true);
      },
      [innerRangeHandler]: (to: bigint, room: bigint, bytes: bigint) => {
        if (BigInt.asUintN(64, bytes) > room) this.#leftArray(to, room, bytes, false);
      },
      [farPointerHandler]: (base: bigint, step: bigint, isUnsigned: number) =>
        this.#farPointer(base, step, isUnsigned !== 0),
      [nullOffsetHandler]: (offset: bigint) => {
        if (offset !== 0n)
          this.meet('null offset', 0, 0, 0, () =>
            this.log.warn({ kind: 'null-offset', offset }, this.stack.callers()),
          );
      },
      [assumedAlignmentHandler]: (pointer: bigint, alignment: bigint) => {
        const address = Number(BigInt.asUintN(32, pointer));
        const number = Number(BigInt.asUintN(32, pointer >> 32n));
        const found = this.explainer.objectOf(number, address);
        this.meet('assumed alignment', 0, number, address, () =>
          this.log.found(
            {
              kind: 'assumed-alignment',
              alignment,
              ...(found && { object: found.object, offset: address - found.address }),
            },
            this.stack.callers(),
          ),
        );
      },
      [unsequencedHandler]: (name: bigint, areBothWrites: number) => {
        const at = Number(BigInt.asUintN(32, name));
        this.meet('unsequenced', 0, at, 0, () =>
          this.log.found(
            {
              kind: 'unsequenced',
              variable: this.program.cString(at),
              areBothWrites: areBothWrites !== 0,
            },
            this.stack.callers(),
          ),
        );
      },
      __rz_report_access: (address: number, number: number, bytes: bigint, access: number, site: number) =>
        this.meet(access, site, number, address, () => {
          const report = {
            ...this.#place(address, number, site),
            bytes: Number(BigInt.asUintN(64, bytes)),
            operation: accessKinds[access] ?? 'read',
          };
          this.log.address = report.address;
          this.log.found(this.#accessFacts(report), report.sites);
        }),
      __rz_report_misaligned: (
        address: number,
        number: number,
        bytes: number,
        access: number,
        site: number,
      ) =>
        this.meet('misaligned', site, number, address, () => {
          const report = {
            ...this.#place(address, number, site),
            bytes,
            operation: accessKinds[access] ?? 'read',
          };
          this.log.found(this.explainer.misaligned(report), report.sites);
        }),
      __rz_report_uninitialized: (
        address: number,
        number: number,
        bytes: number,
        site: number,
        value: number,
        valueBytes: number,
      ) =>
        this.meet('unwritten', site, number, address, () => {
          const report = {
            ...this.#place(address, number, site),
            bytes: bytes & ~someBits,
            isPartial: (bytes & someBits) !== 0,
            value: { address: value >>> 0, bytes: valueBytes >>> 0 },
          };
          this.log.found(this.explainer.uninitialized(report), report.sites);
        }),
      __rz_report_overlap: (to: number, from: number, bytes: number, site: number) => {
        const distance = Math.abs((to >>> 0) - (from >>> 0));
        this.meet('overlap', site, 0, 0, () =>
          this.log.found({ kind: 'overlap', bytes: bytes >>> 0, distance }, this.stack.sitesFrom(site)),
        );
      },
      __rz_report_null_call: (site: number) =>
        this.meet('null call', site, 0, 0, () =>
          this.log.found({ kind: 'call', target: 0n }, this.stack.sitesFrom(site)),
        ),
      __rz_report_mismatched_call: (site: number) =>
        this.meet('mismatched call', site, 0, 0, () =>
          this.log.found({ kind: 'call', target: 'mismatch' }, this.stack.sitesFrom(site)),
        ),
      __rz_report_lost_goto: (site: number) =>
        this.log.fatal({ kind: 'lost-goto' }, this.stack.sitesFrom(site)),
      __rz_report_trap: (site: number) => this.log.fatal({ kind: 'trap' }, this.stack.sitesFrom(site)),
      __rz_report_unsupported_assembly: (site: number) =>
        this.log.fatal({ kind: 'unsupported', what: 'inline assembly' }, this.stack.sitesFrom(site)),
      __rz_report_stack_exhausted: (site: number) =>
        this.log.fatal(
          { kind: 'exhaustion', depth: this.stack.callSites().length },
          this.stack.sitesFrom(site),
        ),
      __rz_report_out_of_memory: (bytes: bigint, site: number) => {
        const [location] = userStack(this.stack.sitesFrom(site));
        this.withoutMemory = { bytes: Number(bytes), ...(location && { location }) };
      },
    };
  }

  /** Explains a report unless it repeats an earlier one. */
  meet(kind: string | number, site: number, number: number, address: number, explain: () => void): void {
    this.log.requireOpen();
    const block = this.#blockAndState(number >>> 0, address >>> 0);
    this.log.meet(`${kind} ${this.stack.lineFrom(site)}`, block, explain);
  }

  /** Where an access was made, and to what, as the explainer takes it. */
  #place(
    address: number,
    number: number,
    site: number,
  ): Pick<AccessReport, 'address' | 'number' | 'sites' | 'depth'> {
    return { address: address >>> 0, number: number >>> 0, ...this.stack.surroundings(site) };
  }

  /**
   * A null pointer right after a failed request is attributed to that request, whatever the offset.
   */
  #accessFacts(report: AccessReport): FindingFacts {
    const facts = this.explainer.access(report);
    const request = this.withoutMemory;
    if (facts.kind !== 'access' || request === undefined) return facts;
    const isNull =
      facts.address < nullPageEnd || (facts.stray === 'integer' && facts.address < request.bytes);
    if (!isNull || this.program.variable(this.exports().__rz_without_memory) === 0) return facts;
    this.isOutOfMemory = true;
    return { ...facts, withoutMemory: request };
  }

  /**
   * Distinguishes errors of one location: the block, and whether it is out of bounds or has ended,
   * which the shadow at the address tells. A pointer without a number is identified by the owner of
   * its address.
   */
  #blockAndState(number: number, address: number): number {
    if (address < nullPageEnd) return isNull;
    if (address >= clientEnd) return number * 256;
    return (number || this.program.ownerAt(address)) * 256 + this.program.shadowAt(address);
  }

  #arithmetic(name: string): (data: bigint, ...args: bigint[]) => void {
    return (data, ...args) => {
      const description = Number(BigInt.asUintN(32, data));
      const facts = () => arithmeticFacts(name, description, args, this.program);
      if (!canGoOn(name)) this.log.fatal(facts(), this.stack.callers());
      this.meet(name, 0, description, 0, () => this.log.found(facts(), this.stack.callers()));
    };
  }

  #innerBounds(name: string) {
    return (
      data: bigint,
      index: bigint,
      array: bigint,
      elementBytes: bigint,
      use: number,
      bytes: bigint,
    ): void => {
      const address = Number(BigInt.asUintN(32, array + index * elementBytes));
      const number = Number(BigInt.asUintN(32, array >> 32n));
      const description = Number(BigInt.asUintN(32, data));
      const explain = (): void => {
        const report: AccessReport = {
          address,
          number,
          bytes: Number(bytes),
          operation: use === elementUses.indexOf('write') ? 'write' : 'read',
          ...this.stack.surroundings(),
        };
        const facts = this.explainer.innerElement(report, {
          index,
          array: arrayName(description, this.program),
          isAddress: use === elementUses.indexOf('address'),
        });
        if (!canGoOn(name)) this.log.fatal(facts ?? this.explainer.access(report), report.sites);
        if (facts !== undefined) this.log.found(facts, report.sites);
      };
      if (canGoOn(name)) this.meet(`element ${description} ${use}`, 0, number, address, explain);
      else explain();
    };
  }

  /** If an unsigned offset leads back into its object, the result is valid. */
  #farPointer(base: bigint, step: bigint, isUnsigned: boolean): void {
    const address = Number(BigInt.asUintN(32, base));
    const number = Number(BigInt.asUintN(32, base >> 32n));
    const found = this.explainer.objectOf(number, address);
    const to = BigInt(address) + step;
    if (isUnsigned && found !== undefined && step < 0n) {
      const start = BigInt(found.address);
      if (to >= start && to <= start + BigInt(found.object.bytes)) return;
    }
    this.meet('far pointer', 0, number, address, () =>
      this.log.found(
        {
          kind: 'far-pointer',
          step: isUnsigned ? BigInt.asUintN(64, step) : step,
          ...(found && { object: found.object }),
        },
        this.stack.callers(),
      ),
    );
  }

  /** A function wrote more to an array than fits into it. */
  #leftArray(to: bigint, room: bigint, bytes: bigint, isText: boolean): void {
    const report: AccessReport = {
      address: Number(BigInt.asUintN(32, to)),
      number: Number(BigInt.asUintN(32, to >> 32n)),
      bytes: Number(bytes),
      operation: 'write',
      ...this.stack.surroundings(),
    };
    const facts = this.explainer.innerRange(report, Number(room), isText);
    if (facts !== undefined) this.log.found(facts, report.sites);
  }
}
