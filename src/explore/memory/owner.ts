/**
 * Copy-on-write by tokens: what carries a state's token is edited in place, anything else is copied
 * first.
 */
export type Owner = object;
