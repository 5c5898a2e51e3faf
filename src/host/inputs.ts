/**
 * The inputs of a test, as a program asks for them: `klee_make_symbolic(&x, 4, "x")` gets the bytes
 * that the test has for `x`. A name may be requested more than once; the n-th time gets the n-th
 * input of that name. What the test does not say is zero.
 */
export interface NamedInput {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** How a program and a test do not go together, by the names of inputs. */
export interface InputDifferences {
  /** What the program has asked for and the test does not have. */
  readonly missing: readonly string[];
  /** What the test has and the program has not asked for. */
  readonly unused: readonly string[];
  /** What has another size. */
  readonly resized: readonly string[];
  /** Has the program asked for any input of the test? */
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

  /** Has the program asked for as much? Requires that one is a clone of the other. */
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
   * Missing is what was requested more often than the test has it, unused what it has more often
   * than it was requested.
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
