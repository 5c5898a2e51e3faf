/**
 * Reads the options of `ld` in `-Wl,WORD,WORD` and `-Xlinker WORD`.
 *
 * An option and its value may come in separate arguments (`-Xlinker -u -Xlinker main`), so the
 * reader keeps its state from one argument to the next. A word that is neither an option nor a
 * value is a file (`-Wl,--whole-archive,libx.a`). Options for the layout of ELF files are ignored.
 */

export type LinkerFlag =
  | { readonly kind: 'whole' | 'static'; readonly value: boolean }
  | { readonly kind: 'product'; readonly product: 'shared' | 'object' }
  | { readonly kind: 'allows'; readonly what: 'undefined' | 'duplicates' }
  | { readonly kind: 'needed' | 'wrap' | 'library'; readonly name: string }
  | { readonly kind: 'folder' | 'file'; readonly path: string }
  | { readonly kind: 'unsupported'; readonly option: string };

/** Options whose value is the next word, spelt with one dash. */
const valued = new Set(
  `-a -A -architecture -assert -audit -auxiliary -b -c -compatibility_version -current_version -default-script -defsym
  -depaudit -dependency-file -dT -dynamic-linker -dynamic-list -e -entry -exclude-libs -export-dynamic-symbol
  -export-dynamic-symbol-list -f -F -filter -fini -format -framework -G -h -hash-size -hash-style -I
  -ignore-unresolved-symbol -image-base -init -install_name -just-symbols -l -L -library -library-path -m -Map
  -mri-script -o -oformat -orphan-handling -out-implib -output -P -plugin -plugin-opt -R -require-defined
  -retain-symbols-file -rpath -rpath-link -script -section-start -soname -sort-section -T -Tbss -Tdata -Ttext
  -trace-symbol -u -undefined -unresolved-symbols -version-script -wrap -y -Y -z`.split(/\s+/),
);

/** Options of one letter whose value may be attached. */
const letters = /^-([lLuz])(.+)$/;

export class LinkerWords {
  /** An option that waits for its value, as it was written. */
  #waiting: string | undefined;

  read(words: readonly string[]): LinkerFlag[] {
    return words.flatMap(word => this.#readWord(word) ?? []);
  }

  #readWord(word: string): LinkerFlag | undefined {
    const option = this.#waiting;
    if (option !== undefined) {
      this.#waiting = undefined;
      return valuedFlag(option, word);
    }
    if (!word.startsWith('-')) return word === '' ? undefined : { kind: 'file', path: word };
    if (valued.has(oneDash(word))) {
      this.#waiting = word;
      return undefined;
    }
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
    if (name !== undefined && valued.has(oneDash(name))) return valuedFlag(name, value!);
    return plainFlag(oneDash(word)) ?? attachedFlag(word);
  }
}

function plainFlag(option: string): LinkerFlag | undefined {
  switch (option) {
    case '-whole-archive':
      return { kind: 'whole', value: true };
    case '-no-whole-archive':
      return { kind: 'whole', value: false };
    case '-Bstatic':
    case '-static':
    case '-dn':
    case '-non_shared':
      return { kind: 'static', value: true };
    case '-Bdynamic':
    case '-dy':
    case '-call_shared':
      return { kind: 'static', value: false };
    case '-shared':
      return { kind: 'product', product: 'shared' };
    case '-r':
    case '-i':
    case '-relocatable':
      return { kind: 'product', product: 'object' };
    case '-allow-multiple-definition':
      return { kind: 'allows', what: 'duplicates' };
    default:
      return undefined;
  }
}

function attachedFlag(word: string): LinkerFlag | undefined {
  const [, letter, value] = letters.exec(word) ?? [];
  return letter === undefined ? undefined : valuedFlag(`-${letter}`, value!);
}

function valuedFlag(option: string, value: string): LinkerFlag | undefined {
  switch (oneDash(option)) {
    case '-u':
    case '-undefined':
    case '-require-defined':
      return { kind: 'needed', name: value };
    case '-wrap':
      return { kind: 'wrap', name: value };
    case '-l':
    case '-library':
      return { kind: 'library', name: value };
    case '-L':
    case '-library-path':
      return { kind: 'folder', path: value };
    case '-z':
      return value === 'muldefs' ? { kind: 'allows', what: 'duplicates' } : undefined;
    case '-unresolved-symbols':
      return value.startsWith('ignore-') ? { kind: 'allows', what: 'undefined' } : undefined;
    case '-defsym':
      return { kind: 'unsupported', option: `${option}=${value}` };
    default:
      return undefined;
  }
}

const oneDash = (word: string): string => word.replace(/^--/, '-');
