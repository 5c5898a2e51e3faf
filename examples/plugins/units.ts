/**
 * Units of measure on struct members: the end of a member's name says its unit (`length_m`,
 * `time_ms`). A value that is copied or added from one unit into another is reported; a product
 * has a unit of its own, so multiplying by a factor converts.
 *
 * Other variables in memory have the unit of what was last copied into them, in a shadow.
 */
import { type AccessEvent, definePlugin, type Shadow } from 'redzone';

const units = ['m', 'cm', 'km', 's', 'ms', 'us', 'kg', 'g', 'eur', 'cent'];

export default definePlugin({
  name: 'units',
  shadow: { unit: { per: 'byte', bits: 8 } },
  hooks: {
    store: {
      sources: true,
      run: (event, { shadow, report }) => {
        const from = event.sources.map(source => unitOf(source, shadow('unit'))).filter(unit => unit > 0);
        const into = event.member === undefined ? 0 : unitOf(event, shadow('unit'));
        const other = from.find(unit => unit !== (into || from[0]));
        const name = event.member?.member ?? 'a variable';
        if (other !== undefined)
          report(
            'mixed',
            `a value in ${units[other - 1]} goes into \`${name}\`, in ${units[(into || from[0]!) - 1]}`,
            ['multiply or divide by the factor between the two'],
          );
        if (event.member === undefined) shadow('unit').set(event.address, event.bytes, from[0] ?? 0);
      },
    },
  },
});

/** 0 for none. */
function unitOf({ member, address }: AccessEvent, shadow: Shadow): number {
  const suffix = /_([a-z]+)$/.exec(member?.member ?? '')?.[1] ?? '';
  return member === undefined ? shadow.get(address) : units.indexOf(suffix) + 1;
}
