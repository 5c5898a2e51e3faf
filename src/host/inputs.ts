/**
 * The inputs of a test, which a program requests: `klee_make_symbolic(&x, 4, "x")` gets the bytes
 * of the test for `x`. A name may be requested more than once; the n-th time gets the n-th input of
 * that name. Missing bytes are zero.
 */
export interface NamedInput {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The differences between a program and a test, by the names of inputs. */
export interface InputDifferences {
  /** Requested by the program but missing in the test. */
  readonly missing: readonly string[];
  /** In the test but not requested. */
  readonly unused: readonly string[];
  /** Inputs with another size. */
  readonly resized: readonly string[];
  /** Whether the program has requested any input of the test. */
  readonly isUsed: boolean;
}

export class TestInputs {
  readonly #inputs: readonly NamedInput[];
  readonly #used: Map<string, number>;
  readonly #resized: Set<string>;

  constructor(
    inputs: readonly NamedInput[] = [],
    used: ReadonlyMap<string, number> = new Map(),
    resized: ReadonlySet<string> = new Set(),
  ) {
    this.#inputs = inputs;
    this.#used = new Map(used);
    this.#resized = new Set(resized);
  }

  /** Whether the program has requested as much. Requires that one is a clone of the other. */
  isLike(other: TestInputs): boolean {
    return (
      this.#used.size === other.#used.size &&
      [...this.#used].every(([name, count]) => other.#used.get(name) === count)
    );
  }

  clone(): TestInputs {
    return new TestInputs(this.#inputs, this.#used, this.#resized);
  }

  /**
   * An input is missing if it was requested more often than the test has it, and unused in the
   * opposite case.
   */
  differences(): InputDifferences {
    const asked = (name: string): number => this.#used.get(name) ?? 0;
    const given = (name: string): number => this.#inputs.filter(input => input.name === name).length;
    const names = [...new Set([...this.#inputs.map(({ name }) => name), ...this.#used.keys()])];
    return {
      missing: names.filter(name => asked(name) > given(name)),
      unused: names.filter(name => asked(name) < given(name)),
      resized: [...this.#resized],
      isUsed: this.#inputs.some(({ name }) => asked(name) > 0),
    };
  }

  fill(name: string, memory: Uint8Array, start: number, length: number): void {
    const used = this.#used.get(name) ?? 0;
    this.#used.set(name, used + 1);
    const bytes = this.#inputs.filter(input => input.name === name)[used]?.bytes;
    memory.fill(0, start, start + length);
    if (bytes === undefined) return;
    memory.set(bytes.subarray(0, length), start);
    if (bytes.length !== length) this.#resized.add(name);
  }
}
