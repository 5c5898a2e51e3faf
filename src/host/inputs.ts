/**
 * The inputs of a test, as a program asks for them: `klee_make_symbolic(&x, 4, "x")` gets the bytes that the
 * test has for `x`. A name may be asked for more than once; the n-th time gets the n-th input of that name. What the
 * test does not say is zero.
 */
export interface NamedInput {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** How a program and a test do not go together, by the names of inputs. */
export interface InputDifferences {
  readonly missing: readonly string[];
  readonly unused: readonly string[];
}

export class TestInputs {
  readonly #inputs: readonly NamedInput[];
  readonly #used: Map<string, number>;

  constructor(inputs: readonly NamedInput[] = [], used: ReadonlyMap<string, number> = new Map()) {
    this.#inputs = inputs;
    this.#used = new Map(used);
  }

  clone(): TestInputs {
    return new TestInputs(this.#inputs, this.#used);
  }

  /** Names that were asked for more often than the test has them, and those that it has more often than they were asked for. */
  differences(): InputDifferences {
    const asked = (name: string): number => this.#used.get(name) ?? 0;
    const given = (name: string): number => this.#inputs.filter(input => input.name === name).length;
    const names = [...new Set([...this.#inputs.map(({ name }) => name), ...this.#used.keys()])];
    return {
      missing: names.filter(name => asked(name) > given(name)),
      unused: names.filter(name => asked(name) < given(name)),
    };
  }

  fill(name: string, memory: Uint8Array, start: number, length: number): void {
    const used = this.#used.get(name) ?? 0;
    this.#used.set(name, used + 1);
    const bytes = this.#inputs.filter(input => input.name === name)[used]?.bytes ?? new Uint8Array();
    memory.fill(0, start, start + length);
    memory.set(bytes.subarray(0, length), start);
  }
}
