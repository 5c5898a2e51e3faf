/**
 * Simpson's four-slot algorithm: one writer and one reader share data without locks and without
 * waiting for each other.
 *
 * Data has four slots, two pairs of two. The writer takes the pair that the reader has not
 * announced, and in it the slot that it wrote less recently; afterwards it publishes slot and pair.
 * The reader announces the latest pair, then reads the latest slot of it.
 *
 *     writer   choose pair := !reading ── choose slot := !slot[pair] ── write … end ── slot[pair] := index ── latest := pair
 *     reader   pair := latest ── reading := pair ── index := slot[pair] ── read … end
 *
 * Every arrow is a separate step: the other side may act in between. The claim: they are never both
 * in the same slot. In the broken variant the reader announces the value of `latest` and then reads
 * `latest` again: in between the writer may have changed it, and both use the same pair.
 */
import { array, bool, enumeration } from '../cells.js';
import { and, type BoolExpr, chooseBool, type IntExpr, iff, implies, int, ite, not } from '../expression.js';
import { type Model, ModelBuilder, set } from '../model-builder.js';

export function fourSlotModel(isBroken: boolean): Model {
  const m = new ModelBuilder(isBroken ? 'four-slot-broken' : 'four-slot');
  const latest = m.shared('latest', bool);
  const reading = m.shared('reading', bool);
  const slot = m.shared('slot', array(0, 1, bool));
  const writer = m.shared('writer', enumeration('idle', 'paired', 'writing', 'written', 'indexed'));
  const writePair = m.shared('writePair', bool);
  const writeIndex = m.shared('writeIndex', bool);
  const reader = m.shared('reader', enumeration('idle', 'paired', 'announced', 'reading'));
  const readPair = m.shared('readPair', bool);
  const readIndex = m.shared('readIndex', bool);

  m.initially(
    ...[latest, reading, slot.at(0), slot.at(1), writePair, writeIndex, readPair, readIndex].map(cell =>
      not(cell.value),
    ),
    writer.is('idle'),
    reader.is('idle'),
  );
  const slotOf = (pair: BoolExpr): BoolExpr => chooseBool(pair, slot.at(1).value, slot.at(0).value);
  const numberOf = (pair: BoolExpr): IntExpr => ite(pair, int(1), int(0));

  m.command(
    'choose pair',
    writer.is('idle'),
    set(writePair, not(reading.value)),
    set(writer, writer.code('paired')),
  );
  m.command(
    'choose slot',
    writer.is('paired'),
    set(writeIndex, not(slotOf(writePair.value))),
    set(writer, writer.code('writing')),
  );
  m.command('end write', writer.is('writing'), set(writer, writer.code('written')));
  m.command(
    'publish slot',
    writer.is('written'),
    set(slot.at(numberOf(writePair.value)), writeIndex.value),
    set(writer, writer.code('indexed')),
  );
  m.command(
    'publish pair',
    writer.is('indexed'),
    set(latest, writePair.value),
    set(writer, writer.code('idle')),
  );

  if (isBroken) {
    m.command('announce', reader.is('idle'), set(reading, latest.value), set(reader, reader.code('paired')));
    m.command(
      'read pair',
      reader.is('paired'),
      set(readPair, latest.value),
      set(reader, reader.code('announced')),
    );
  } else {
    m.command(
      'read pair',
      reader.is('idle'),
      set(readPair, latest.value),
      set(reader, reader.code('paired')),
    );
    m.command(
      'announce',
      reader.is('paired'),
      set(reading, readPair.value),
      set(reader, reader.code('announced')),
    );
  }
  m.command(
    'read slot',
    reader.is('announced'),
    set(readIndex, slotOf(readPair.value)),
    set(reader, reader.code('reading')),
  );
  m.command('end read', reader.is('reading'), set(reader, reader.code('idle')));

  const isSame = and(iff(readPair.value, writePair.value), iff(readIndex.value, writeIndex.value));
  m.property('coherence', implies(and(reader.is('reading'), writer.is('writing')), not(isSame)), {
    text: 'reader and writer are never in the same slot',
  });
  m.property('announced', implies(reader.is('reading'), iff(reading.value, readPair.value)), {
    text: 'the reader has announced the pair that it reads',
  });
  return m.build();
}
