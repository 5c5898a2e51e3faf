/**
 * From the address of a block to its record: the price of keeping metadata apart. Each malloc of
 * this kind has its own way.
 */
export interface AddressIndex {
  /** The record whose address that is, or 0. */
  find(address: number): number;
  insert(record: number): void;
  /** Requires that the record was inserted. */
  remove(record: number): void;
  /** Bytes of it that were ever used. */
  readonly bytesUsed: number;
  check(): string | undefined;
}
