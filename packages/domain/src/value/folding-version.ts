/**
 * Incremented when the folded form of any text changes (`fold.ts`): search indexes and sort keys are then made again. A
 * separate module, because declarations name it, and the letters of `fold.ts` are 200 kB.
 */
export const foldingVersion = 2
