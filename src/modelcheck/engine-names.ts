/** The choices of the options of `redzone prove`. */
export const engineNames = ['explicit', 'bmc', 'k-induction', 'ic3'] as const;

export type EngineName = (typeof engineNames)[number];

/** The engines that ask a solver instead of listing states. */
export type SymbolicEngine = Exclude<EngineName, 'explicit'>;

/** `auto` tries several. */
export const engineChoices: readonly ['auto', ...typeof engineNames] = ['auto', ...engineNames];

export const lfhtVariants = ['report', 'grow-when-assimilated', 'reserve'] as const;

export type LfhtVariant = (typeof lfhtVariants)[number];
