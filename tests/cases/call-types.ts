/**
 * Calls through pointers of another type, as cases: each pair of types as result, as argument and
 * by their number, in each of the places that a pointer can come from.
 */
import type { Case } from './many-cases.js';

/**
 * C's name of the type, a value of it, and how values are compared; what is passed alike has the
 * same `passing`.
 */
const types = [
  { name: 'char', c: 'char', value: "'a'", passing: 'char' },
  { name: 'int', c: 'int', value: '10', passing: 'int' },
  { name: 'unsigned', c: 'unsigned', value: '10u', passing: 'int' },
  { name: 'long', c: 'long', value: '10L', passing: 'long' },
  { name: 'float', c: 'float', value: '2.5f', passing: 'float' },
  { name: 'double', c: 'double', value: '2.5', passing: 'double' },
  { name: 'pointer', c: 'char *', value: 'text', passing: 'long' },
  { name: 'other_pointer', c: 'struct big *', value: '&a_big', passing: 'long' },
  { name: 'big', c: 'struct big', value: 'a_big', passing: 'big' },
  { name: 'small', c: 'struct small', value: 'a_small', passing: 'small' },
] as const;

type CType = (typeof types)[number];

/**
 * Where a function pointer `T` comes from: declarations, statements, and the expression that is
 * called.
 */
const places = {
  local: (type: string, f: string) => `${type} p = (${type})${f}; USE(p)`,
  volatile: (type: string, f: string) => `${type} volatile p = (${type})${f}; USE(p)`,
  global: (type: string, f: string) => `static ${type} p; p = (${type})${f}; USE(p)`,
  initialised: (type: string, f: string) => `static ${type} p = (${type})${f}; USE(p)`,
  constant: (type: string, f: string) => `static const ${type} p = (${type})${f}; USE(p)`,
  member: (type: string, f: string) => `struct { int n; ${type} p; } s = {1, (${type})${f}}; USE(s.p)`,
  array: (type: string, f: string) => `${type} a[3] = {0, (${type})${f}, 0}; USE(a[one])`,
  reference: (type: string, f: string) => `${type} p = (${type})${f}; ${type} *q = &p; USE((*q))`,
  returned: (_: string, f: string, typedef: string) => `USE(((${typedef})returned((void (*)(void))${f})))`,
  argument: (_: string, f: string, typedef: string) => `USE(((${typedef})passed((void (*)(void))${f}, 1)))`,
} as const;

type Place = keyof typeof places;
export const allPlaces: readonly Place[] = Object.keys(places) as Place[];

export const callPreamble: string = `#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
struct big { int a[13]; };
struct small { int a, b; };
static struct big a_big = {{1, 2, 3}};
static struct small a_small = {4, 5};
static char text[] = "text";
static volatile int one = 1;
static void require(int holds) { if (!holds) abort(); }
static __attribute__((noinline)) void (*returned(void (*f)(void)))(void) { return f; }
static __attribute__((noinline)) void (*passed(void (*f)(void), int n))(void) { return n ? f : 0; }
static void none(void) {}
static int variadic(int n, ...) { va_list l; va_start(l, n); int x = va_arg(l, int); va_end(l); return n + x; }
static int two(int a, int b) { return a + b; }
static int old(a, b) int a; double b; { return a + (int)b; }
static int old_small(c, s, f) char c; short s; float f; { return c + s + (int)f; }
${types.map(({ name, c, value }) => `static ${c} make_${name}(void) { return ${value}; }`).join('\n')}
${types.map(({ name, c, value }) => `static int take_${name}(${c} x) { ${c} y = ${value}; return memcmp(&x, &y, sizeof x) == 0; }`).join('\n')}
${types.map(({ name, c }) => `typedef ${c} (*maker_${name})(void); typedef int (*taker_${name})(${c}); typedef void (*ignorer_${name})(${c});`).join('\n')}
typedef int (*of_none)(void); typedef int (*of_one)(int); typedef int (*of_two)(int, int); typedef int (*of_three)(int, int, int);
typedef int (*of_many)(int, ...); typedef void (*nothing)(void); typedef int (*unknown)();`;

function mismatch(isFitting: boolean): Case['expected'] {
  return isFitting ? undefined : 'wild-pointer';
}

/** `use` is a statement about `CALLEE`. */
function at(place: Place, name: string, typedef: string, f: string, use: string, isFitting: boolean): Case {
  const code = places[place](typedef, f, typedef).replace(/USE\((.*)\)$/, (_, callee: string) =>
    use.replaceAll('CALLEE', callee),
  );
  return { name: `${name}, ${place}`, code, expected: mismatch(isFitting) };
}

function results(from: CType, to: CType, place: Place): Case {
  const use = `${to.c} x = CALLEE(); ${to.c} y = ${to.value}; ${from === to ? 'require(memcmp(&x, &y, sizeof x) == 0);' : ''}`;
  const name = `${from.name} returned as ${to.name}`;
  return at(place, name, `maker_${to.name}`, `make_${from.name}`, use, from.passing === to.passing);
}

function parameters(from: CType, to: CType, place: Place): Case {
  const use = `int x = CALLEE(${to.value}); ${from === to ? 'require(x);' : ''}`;
  const name = `${to.name} passed for ${from.name}`;
  return at(place, name, `taker_${to.name}`, `take_${from.name}`, use, from.passing === to.passing);
}

/**
 * Functions, the types that they are called through, the call, and whether these are compatible.
 */
const others = [
  ['two', 'of_one', 'CALLEE(1);', false],
  ['two', 'of_two', 'require(CALLEE(1, 2) == 3);', true],
  ['two', 'of_three', 'CALLEE(1, 2, 3);', false],
  ['two', 'of_none', 'CALLEE();', false],
  ['two', 'of_many', 'CALLEE(1, 2);', false],
  ['two', 'unknown', 'require(CALLEE(1, 2) == 3);', true],
  ['two', 'unknown', 'CALLEE(1);', false],
  ['two', 'unknown', 'CALLEE(1, 2.0);', false],
  ['variadic', 'of_many', 'require(CALLEE(1, 2) == 3);', true],
  ['variadic', 'of_two', 'CALLEE(1, 2);', false],
  ['variadic', 'of_one', 'CALLEE(1);', false],
  ['none', 'nothing', 'CALLEE();', true],
  ['none', 'of_none', 'CALLEE();', false],
  ['make_int', 'nothing', 'CALLEE();', false],
  ['take_int', 'ignorer_int', 'CALLEE(1);', false],
  ['old', 'unknown', 'require(CALLEE(1, 2.0f) == 3);', true],
  ['old', 'unknown', 'CALLEE(1, 2);', false],
  ['old_small', 'unknown', "require(CALLEE('a', 1, 2.5f) == 'a' + 3);", true],
  ['old_small', 'unknown', "CALLEE('a', 1L, 2.5f);", false],
] as const;

/** All pairs, each at the places that `choose` names for its number. */
export function callCases(choose: (i: number) => readonly Place[]): Case[] {
  const pairs = types.flatMap(from => types.map(to => [from, to] as const));
  const makers: ((place: Place) => Case)[] = [
    ...pairs.map(
      ([from, to]) =>
        (place: Place) =>
          results(from, to, place),
    ),
    ...pairs.map(
      ([from, to]) =>
        (place: Place) =>
          parameters(from, to, place),
    ),
    ...others.map(
      ([f, typedef, use, isFitting]) =>
        (place: Place) =>
          at(place, `${f} as ${typedef}: ${use}`, typedef, f, use, isFitting),
    ),
  ];
  return makers.flatMap((make, i) => choose(i).map(make));
}
