/** Invalid JSON request bodies, each with the expected fault (docs/behaviour/wire.md#request-bodies). */

export type InvalidBody = {
  readonly why: string
  readonly body: string | Uint8Array
  /** The paths that bad_parameters reports; null if bad_request is expected. */
  readonly paths: readonly string[] | null
}

const notJson = (why: string, body: string | Uint8Array): InvalidBody => ({ why, body, paths: null })
const invalid = (why: string, body: string | Uint8Array, ...paths: readonly string[]): InvalidBody => ({
  why,
  body,
  paths,
})

const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1')
const utf16BigEndian = (text: string): Uint8Array => Buffer.from(text, 'utf16le').swap16()
const utf32 = (text: string): Uint8Array =>
  Buffer.concat([...text].map((each) => Buffer.from([each.charCodeAt(0), 0, 0, 0])))

const syntax: readonly InvalidBody[] = [
  ...['', ' ', '\n\t '].map((body) => notJson('empty', body)),
  ...[
    '{',
    '{"',
    '{"a',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,',
    '{"a":"x',
    '{"a":[1',
    '{"a":{"b":1}',
    '{"a":tru',
  ].map((body) => notJson('truncated', body)),
  ...['{}x', '{}{}', '{},', '{}\u0000', '\u0000{}', '{}//', '}{', ']', '{]', '{"a":[}'].map((body) =>
    notJson('not balanced, or followed by more', body),
  ),
  ...[
    '{a:1}',
    "{'a':1}",
    '{"a":1,}',
    '{"a":[1,]}',
    '{,}',
    '{"a" 1}',
    '{"a":,}',
    '{"a":1 "b":2}',
    '{1:1}',
    '{/**/}',
    '{"a":undefined}',
    '{"a":NaN}',
    '{"a":-NaN}',
    '{"a":Infinity}',
    '{"a":-Infinity}',
    '{"a":01}',
    '{"a":+1}',
    '{"a":.5}',
    '{"a":1.}',
    '{"a":1e}',
    '{"a":0x10}',
    '{"a":1_000}',
    '{"a":10n}',
    '{"a":True}',
    '{"a":nil}',
    '{"a":"\\x41"}',
    '{"a":"\\u12"}',
    '{"a":"\\u12g4"}',
    '{"a":"\n"}',
    '{"a":"\t"}',
    '{"a":"\u0001"}',
    '{"a":"x\u2028"x}',
    '\u00a0{}',
    'a=1&b=2',
    '<a/>',
    '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--',
  ].map((body) => notJson(`no JSON: ${body.slice(0, 20)}`, body)),
]

const encodings: readonly InvalidBody[] = [
  ...[
    [0xff],
    [0xc0, 0xaf],
    [0xed, 0xa0, 0x80],
    [0xf5, 0x80, 0x80, 0x80],
    [0xf0, 0x9f, 0x98],
    [0xe2, 0x82],
    [0x80],
  ].map((bytes) => notJson('not UTF-8', Buffer.concat([latin1('{"a":"'), Buffer.from(bytes), latin1('"}')]))),
  notJson('Latin-1', latin1('{"a":"ü"}')),
  notJson('UTF-16, little end first', Buffer.from('{"a":"x"}', 'utf16le')),
  notJson('UTF-16 with a mark', Buffer.from('\ufeff{"a":"x"}', 'utf16le')),
  notJson('UTF-16, big end first', utf16BigEndian('{"a":"x"}')),
  notJson('UTF-16 with a mark, big end first', utf16BigEndian('\ufeff{"a":"x"}')),
  notJson('UTF-32', utf32('{"a":1}')),
  notJson('two byte order marks', '\ufeff\ufeff{}'),
  notJson('a byte order mark inside', '{\ufeff}'),
]

const roots: readonly InvalidBody[] = ['null', 'true', '7', '-0.5', '"x"', '[]', '[{}]', ' "{}" '].map(
  (body) => invalid('not an object', body, 'body'),
)

const duplicateKeys: readonly InvalidBody[] = [
  invalid('a key twice', '{"a":1,"a":1}', 'a'),
  invalid('a key twice, written differently', '{"a":1,"\\u0061":2}', 'a'),
  invalid('two keys twice', '{"a":1,"b":1,"b":2,"a":2}', 'a', 'b'),
  invalid('a key three times', '{"a":1,"a":2,"a":3}', 'a'),
  invalid('a key twice within', '{"x":{"a":1,"a":2}}', 'x.a'),
  invalid('a key twice within a list', '{"x":[{"a":1},{"a":1,"a":2}]}', 'x.1.a'),
  invalid('an empty key twice', '{"":1,"":2}', 'body'),
  invalid('__proto__ twice', '{"__proto__":1,"__proto__":2}', '__proto__'),
]

const hugeNumbers: readonly InvalidBody[] = [
  invalid('a number out of range', '{"a":1e309}', 'a'),
  invalid('a number out of range below zero', '{"a":-1e400}', 'a'),
  invalid('a number of many digits', `{"a":${'9'.repeat(400)}}`, 'a'),
  invalid('numbers out of range within', '{"a":[1,1e999],"b":{"c":-1e999}}', 'a.1', 'b.c'),
  invalid('an exponent that is a number itself', `{"a":1e${'9'.repeat(1000)}}`, 'a'),
  invalid('a number out of range and a key twice', '{"a":1e999,"b":1,"b":2}', 'a', 'b'),
]

const nested = (depth: number, open: string, close: string): string =>
  `{"a":${open.repeat(depth)}${close.repeat(depth)}}`

const deeplyNested: readonly InvalidBody[] = [
  notJson('lists too deep', nested(32, '[', ']')),
  notJson('objects too deep', `{"a":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`),
  notJson('very deep', nested(100_000, '[', ']')),
  notJson('very deep and truncated', '['.repeat(200_000)),
  notJson('very deep objects, truncated', '{"a":'.repeat(100_000)),
]

export const invalidBodies: readonly InvalidBody[] = [
  ...syntax,
  ...encodings,
  ...roots,
  ...duplicateKeys,
  ...hugeNumbers,
  ...deeplyNested,
]
