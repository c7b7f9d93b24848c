/**
 * Bytes that are no JSON object as the service takes it, with what each is to be told
 * (docs/behaviour/wire.md#request-bodies).
 */

export type WrongText = {
  readonly why: string
  readonly body: string | Uint8Array
  /** The paths of bad_parameters; null for bad_request. */
  readonly paths: readonly string[] | null
}

const unreadable = (why: string, body: string | Uint8Array): WrongText => ({ why, body, paths: null })
const wrong = (why: string, body: string | Uint8Array, ...paths: readonly string[]): WrongText => ({
  why,
  body,
  paths,
})

const latin = (text: string): Uint8Array => Buffer.from(text, 'latin1')
const bigEndian = (text: string): Uint8Array => Buffer.from(text, 'utf16le').swap16()
const wide = (text: string): Uint8Array =>
  Buffer.concat([...text].map((each) => Buffer.from([each.charCodeAt(0), 0, 0, 0])))

const syntax: readonly WrongText[] = [
  ...['', ' ', '\n\t '].map((body) => unreadable('nothing', body)),
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
  ].map((body) => unreadable('broken off', body)),
  ...['{}x', '{}{}', '{},', '{}\u0000', '\u0000{}', '{}//', '}{', ']', '{]', '{"a":[}'].map((body) =>
    unreadable('not balanced, or followed by more', body),
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
  ].map((body) => unreadable(`no JSON: ${body.slice(0, 20)}`, body)),
]

const encodings: readonly WrongText[] = [
  ...[
    [0xff],
    [0xc0, 0xaf],
    [0xed, 0xa0, 0x80],
    [0xf5, 0x80, 0x80, 0x80],
    [0xf0, 0x9f, 0x98],
    [0xe2, 0x82],
    [0x80],
  ].map((bytes) =>
    unreadable('not UTF-8', Buffer.concat([latin('{"a":"'), Buffer.from(bytes), latin('"}')])),
  ),
  unreadable('Latin-1', latin('{"a":"ü"}')),
  unreadable('UTF-16, little end first', Buffer.from('{"a":"x"}', 'utf16le')),
  unreadable('UTF-16 with a mark', Buffer.from('\ufeff{"a":"x"}', 'utf16le')),
  unreadable('UTF-16, big end first', bigEndian('{"a":"x"}')),
  unreadable('UTF-16 with a mark, big end first', bigEndian('\ufeff{"a":"x"}')),
  unreadable('UTF-32', wide('{"a":1}')),
  unreadable('two marks', '\ufeff\ufeff{}'),
  unreadable('a mark within', '{\ufeff}'),
]

const roots: readonly WrongText[] = ['null', 'true', '7', '-0.5', '"x"', '[]', '[{}]', ' "{}" '].map((body) =>
  wrong('no object', body, 'body'),
)

const keysTwice: readonly WrongText[] = [
  wrong('a key twice', '{"a":1,"a":1}', 'a'),
  wrong('a key twice, written differently', '{"a":1,"\\u0061":2}', 'a'),
  wrong('two keys twice', '{"a":1,"b":1,"b":2,"a":2}', 'a', 'b'),
  wrong('a key three times', '{"a":1,"a":2,"a":3}', 'a'),
  wrong('a key twice within', '{"x":{"a":1,"a":2}}', 'x.a'),
  wrong('a key twice within a list', '{"x":[{"a":1},{"a":1,"a":2}]}', 'x.1.a'),
  wrong('an empty key twice', '{"":1,"":2}', 'body'),
  wrong('__proto__ twice', '{"__proto__":1,"__proto__":2}', '__proto__'),
]

const hugeNumbers: readonly WrongText[] = [
  wrong('a number out of range', '{"a":1e309}', 'a'),
  wrong('a number out of range below zero', '{"a":-1e400}', 'a'),
  wrong('a number of many digits', `{"a":${'9'.repeat(400)}}`, 'a'),
  wrong('numbers out of range within', '{"a":[1,1e999],"b":{"c":-1e999}}', 'a.1', 'b.c'),
  wrong('an exponent that is a number itself', `{"a":1e${'9'.repeat(1000)}}`, 'a'),
  wrong('a number out of range and a key twice', '{"a":1e999,"b":1,"b":2}', 'a', 'b'),
]

const nested = (depth: number, open: string, close: string): string =>
  `{"a":${open.repeat(depth)}${close.repeat(depth)}}`

const deep: readonly WrongText[] = [
  unreadable('lists too deep', nested(32, '[', ']')),
  unreadable('objects too deep', `{"a":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`),
  unreadable('very deep', nested(100_000, '[', ']')),
  unreadable('very deep and broken off', '['.repeat(200_000)),
  unreadable('very deep objects, broken off', '{"a":'.repeat(100_000)),
]

export const wrongTexts: readonly WrongText[] = [
  ...syntax,
  ...encodings,
  ...roots,
  ...keysTwice,
  ...hugeNumbers,
  ...deep,
]
