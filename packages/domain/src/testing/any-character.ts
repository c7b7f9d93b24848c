import fc from 'fast-check'

/** A character: a code point that is no surrogate. fast-check’s unit `binary` takes seconds, for a table of all. */
export const anyCharacter: fc.Arbitrary<string> = fc
  .oneof(fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((codePoint) => String.fromCodePoint(codePoint))
