/**
 * The flags for warnings that clang receives in place of those for gcc.
 *
 * A project that builds with `-Wall -Werror` has none of gcc's warnings, but clang has others under
 * the same flags. With `-Werror`, only warnings that both compilers have without any flag are
 * errors: configure scripts test attributes and declarations with them (record 0299). The groups
 * come first, so that every flag of the user overrides them.
 */

/** Flags that clang does not know, and definitions with parameters but without a prototype. */
const silentInGcc = [
  ...['-Wno-unknown-warning-option', '-Wno-error=unused-command-line-argument'],
  '-Wno-deprecated-non-prototype',
];

const ofBothCompilers = [
  ...['unknown-attributes', 'ignored-attributes', 'deprecated-declarations', 'macro-redefined'],
  ...['implicit-function-declaration', 'implicit-int', 'int-conversion', 'incompatible-pointer-types'],
  ...['excess-initializers', 'shift-count-overflow', 'division-by-zero', 'return-mismatch', '#warnings'],
];

export function warningFlags(given: readonly string[]): string[] {
  const last = given.findLast(flag => flag === '-Werror' || flag === '-Wno-error');
  const errors = last === '-Werror' ? ofBothCompilers.map(group => `-Werror=${group}`) : [];
  return [...silentInGcc, ...errors, ...given.filter(flag => flag !== '-Werror' && flag !== '-Wno-error')];
}
