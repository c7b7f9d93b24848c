/** Texts that some stores change, sort wrongly or treat as equal. All are well-formed, without U+0000. */
import fc from 'fast-check'

/** Any character except U+0000. The unit `binary` of fast-check takes seconds, for a table of all characters. */
const character = fc
  .oneof(fc.integer({ min: 1, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((codePoint) => String.fromCodePoint(codePoint))

export const anyText = (maxLength: number): fc.Arbitrary<string> => fc.string({ unit: character, maxLength })

/** In code point order, which differs from the order of UTF-16 and of most collations. */
export const textsInOrder: readonly string[] = [
  '\u0001',
  '\n',
  ' ',
  ' a',
  '%',
  '0',
  '10',
  '2',
  'A',
  'B',
  'Z',
  'a',
  'a ',
  'aa',
  'a\u0301',
  'b',
  'z',
  '\u00e1',
  '\u00e4',
  '\u0131',
  '\u0416',
  '\u4e2d',
  '\ud7ff',
  '\ue000',
  '\ufb01',
  '\ufeff',
  '\uff21',
  '\ufffd',
  '\uffff',
  '\u{10000}',
  '\u{1f600}',
  '\u{1f600}a',
  '\u{10ffff}',
]

export const fragileTexts: readonly string[] = [
  ...textsInOrder,
  '',
  'null',
  '  both ends  ',
  'line\r\nbreak\ttab\u000b\u007f\u0085\u2028\u2029',
  `'single' "double" \`back\` \\ / \\" $where {$gt: ""} %s`,
  '\ufeffbyte order mark',
  '\u00c5\u212bA\u030a are three',
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u{1f3fd}\u{e0067}',
  '2020-02-30T25:61:61Z',
  '507f1f77bcf86cd799439011',
  '\uffff\ufffe\ufdd0\u{1ffff}',
]

/** In ascending order; their JSON is read back exactly. */
export const numbersInOrder: readonly number[] = [
  -Number.MAX_VALUE,
  -1e21,
  -(2 ** 60),
  -1.5,
  -1,
  -5e-324,
  0,
  5e-324,
  1e-7,
  0.1,
  0.30000000000000004,
  1,
  2,
  10,
  2 ** 31,
  2 ** 53 - 1,
  2 ** 53,
  2 ** 53 + 2,
  2 ** 60,
  2 ** 63,
  2 ** 64,
  123456789012345680000,
  1e21,
  Number.MAX_VALUE,
]
