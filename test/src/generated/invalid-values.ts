/**
 * Invalid values of a schema, each with one fault. They are derived from the schema alone, independently of the
 * service. A format that is unknown here throws.
 */
import { isJsonObject, type Json, type Schema, type ValueType } from '@publishing-service/domain'
import { sampleOf } from '../harness/value-arbitraries.js'

/** A value, the reason why it is invalid, and the dotted path of the fault in it. */
export type InvalidValue = { readonly why: string; readonly value: Json; readonly path: string }

const invalid = (why: string, value: Json, path = ''): InvalidValue => ({ why, value, path })

const anyType: Readonly<Record<string, Json>> = {
  'a string': 'x',
  'a number': 7,
  'a fraction': 7.5,
  'a boolean': true,
  'a list': [],
  'a list of strings': ['x'],
  'an object': {},
  'an object with keys': { uuid: 'x', 0: 'y' },
}

const matchingValues: Readonly<Record<NonNullable<Schema['type']>, readonly string[]>> = {
  string: ['a string'],
  integer: ['a number'],
  number: ['a number', 'a fraction'],
  boolean: ['a boolean'],
  array: ['a list', 'a list of strings'],
  object: ['an object', 'an object with keys'],
}

const otherTypes = (type: NonNullable<Schema['type']>): readonly InvalidValue[] =>
  Object.entries(anyType)
    .filter(([name]) => !matchingValues[type].includes(name))
    .map(([name, value]) => invalid(name, value))

const controls = ['\u0000', '\u0007', '\u000b', '\u001b', '\u007f']
const loneSurrogates = ['\ud800', 'x\udc00', '\ude00\ud83d']

/** Texts that violate a format. */
const formats: Readonly<Record<string, readonly string[]>> = {
  uuid: [
    '',
    'x',
    '9f1c6a527c0b4d558f3e2b7b3f0f8e11',
    '{9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11}',
    '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e1',
    '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e1g',
  ],
  text: [],
  'web-address': [
    '',
    'x',
    'example',
    'example.org:x',
    'ftp://example.org',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://',
    'http:///x',
    'https://exa mple.org',
    'http://example.org/<b>',
    ' http://example.org',
    '\nhttp://example.org',
    'http://example.org\n',
  ],
  'web-address-or-path': [
    '',
    'x',
    '//',
    '/\\example.org',
    '/a b',
    '/<b>',
    'javascript:alert(1)',
    'data:,x',
    '/x\n',
  ],
  'email-addresses': [
    '',
    'x',
    '@example.org',
    'a@',
    'a b@example.org',
    'a@b@c',
    'Max <x>',
    'a@example.org,',
    'a@example.org\nBcc: b@example.org',
  ],
  date: [
    '',
    'x',
    '2024-02-30',
    '2023-02-29',
    '2024-13-01',
    '2024-00-10',
    '2024-1-1',
    '20240101',
    '2024-01-01T00:00:00',
    '0000-01-01',
    '2024-01-01 ',
  ],
  'naive-date-time': [
    '',
    'x',
    '2024',
    '2024-02-30T00:00:00',
    '2024-01-01T24:00:00',
    '2024-01-01T12:60',
    '2024-01-01T12:00:60',
    '2024-01-01T12',
    '2024-01-01t12:00:00',
    '2024-01-01T12:00:00+25:00',
    '2024-01-01T12:00:00.',
    '2026-03-29T02:30:00',
    '12024-01-01T00:00:00',
    '2024-01-01T00:00:00 ',
    '2024-W01-1',
  ],
  duration: ['', 'x', 'P', 'PT', '1H', 'PT1X', 'P1H', '-', '90', 'PT1H '],
  markup: [
    'a & b',
    '<p>',
    '</p>',
    '<p>x</p',
    '<main/>',
    '<p><div/></p>',
    '<script>x</script>',
    '<p onclick="x">x</p>',
    '<p>&nosuch;</p>',
    '<p>&</p>',
    '<!-- -- -->',
    '<!--> x -->',
    '<?x?>',
    '<![CDATA[x]]>',
    '<!DOCTYPE p>',
    '<p><a href="javascript:alert(1)">x</a></p>',
    '<p><a>x</a></p>',
    '<ul>x</ul>',
    '<P>x</P>',
    '<img src="data:image/png;base64,x"/>',
    '<p style="color: red">x</p>',
    '<svg/>',
    '<slot/>',
    '<slot id="x"/>',
  ],
  mimetype: ['', 'x', 'audio', 'audio/', '/mpeg', 'audio/mpeg; a=b', 'audio mpeg', 'a/b/c'],
  'time-zone': ['', 'x', 'Europe/Atlantis', '+01:00', 'europe/vienna', 'Europe/Vienna ', '../../etc/passwd'],
  'price-index': [
    '',
    'x',
    'nope',
    'very',
    'very-expensive',
    'very  expensive',
    'free ',
    'free,moderate',
    '0',
  ],
  'facebook-name': ['', 'x y', 'x/', '١', '1,000', 'x\n', '1'.repeat(101)],
  'redirect-pattern': ['', 'news', '**', '/**/**', '/***', '/a b', '/x\n', 'https://example.org/'],
  'redirect-template': [
    '',
    'new/',
    '//example.org/',
    '/\\2',
    '/a b',
    'ftp://example.org/',
    'javascript:alert(1)',
  ],
  isbn: ['', 'x', '123456789', '978-3-16-148410-00', '97831614841AB'],
}
const slotTag = '<slot id="9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11"/>'
const extraOfFormats: Readonly<Record<string, readonly string[]>> = {
  'body-markup': [
    ...(formats['markup'] ?? []),
    `${slotTag}${slotTag}`,
    `<p>x${slotTag}</p>`,
    slotTag.replace('/>', '>x</slot>'),
  ],
  markup: [...(formats['markup'] ?? []), slotTag],
  'markup-or-text': [...(formats['markup'] ?? []).filter((text) => text.includes('<')), slotTag],
}

const invalidTexts = ({ format, pattern, enum: words }: Schema): readonly string[] => {
  if (words !== undefined && format === undefined)
    return ['', 'nope', `${words[0] ?? ''} `, (words[0] ?? '').toUpperCase(), words.join(',')].filter(
      (each) => !words.includes(each),
    )
  const known = format === undefined ? undefined : (extraOfFormats[format] ?? formats[format])
  if (format !== undefined && known === undefined)
    throw new Error(`no invalid values for the format ${format}`)
  if (known !== undefined) return known
  if (pattern === undefined) return []
  const shape = new RegExp(pattern)
  return ['', ' ', '/', 'ü', 'a b', '..', '%41', 'x\n', '<x>'].filter((each) => !shape.test(each))
}

const invalidStrings = (schema: Schema): readonly InvalidValue[] => {
  const { minLength = 0, maxLength } = schema
  return [
    ...invalidTexts(schema).map((value) => invalid(`invalid format: ${value.slice(0, 30)}`, value)),
    ...(minLength > 0 ? [invalid('too short', ''), invalid('nothing visible', ' \u00a0\u200b\u00ad')] : []),
    ...(maxLength === undefined
      ? []
      : [
          invalid('too long', 'x'.repeat(maxLength + 1)),
          invalid('too long, beyond ASCII', '€'.repeat(Math.min(maxLength, 10_000) + 1)),
        ]),
    ...controls.map((each) => invalid(`control character ${each.charCodeAt(0)}`, `a${each}b`)),
    ...loneSurrogates.map((each) => invalid('half of a surrogate pair', each)),
  ].filter(({ why, value }) => why !== 'too long, beyond ASCII' || String(value).length > (maxLength ?? 0))
}

const invalidNumbers = ({ type, minimum, maximum }: Schema): readonly InvalidValue[] => [
  ...(minimum === undefined ? [] : [invalid('too small', minimum - 1)]),
  ...(maximum === undefined ? [] : [invalid('too large', maximum + 1)]),
  invalid('far too large', 1e300),
  invalid('far too small', -1e300),
  ...(type === 'integer' ? [invalid('a fraction', (minimum ?? 0) + 0.5)] : []),
]

const nestedIn = (
  outer: string | number,
  { why, value, path }: InvalidValue,
  whole: (value: Json) => Json,
): InvalidValue => ({
  why: `${why} nestedIn ${outer}`,
  value: whole(value),
  path: path === '' ? String(outer) : `${outer}.${path}`,
})

/** Invalid lists of a format whose positions have different meanings. */
const listsOfFormats: Readonly<Record<string, readonly InvalidValue[]>> = {
  coordinates: [
    ...[[], [1], [1, 2, 3], ['x'], [null]].map((value) => invalid('not two numbers', value)),
    ...[90.1, -91, 1e300, '90.1', '48 N', null, true, [], {}].map((value) =>
      invalid('no latitude', [value, 16], '0'),
    ),
    ...[180.1, -181, 1e300, '181', '', null, true, [], {}].map((value) =>
      invalid('no longitude', [48, value], '1'),
    ),
  ],
}

const invalidLists = ({ format, items = {}, maxItems, minItems = 0 }: Schema): readonly InvalidValue[] => {
  if (format !== undefined) {
    const known = listsOfFormats[format]
    if (known === undefined) throw new Error(`no invalid values for lists of the format ${format}`)
    return known
  }
  const valid = sampleOf(items)
  return [
    ...(maxItems === undefined
      ? []
      : [
          invalid(
            'too many items',
            Array.from({ length: maxItems + 1 }, () => valid),
          ),
        ]),
    ...(minItems > 0 ? [invalid('too few items', [])] : []),
    nestedIn(0, invalid('null', null), (value) => [value]),
    ...invalidValues(items).map((each) => nestedIn(1, each, (value) => [valid, value])),
  ]
}

const invalidObjects = (schema: Schema): readonly InvalidValue[] => {
  const valid = Object.fromEntries(
    Object.entries(schema.properties ?? {})
      .filter(([name]) => schema.required?.includes(name))
      .map(([name, each]) => [name, sampleOf(each)]),
  )
  return Object.entries(schema.properties ?? {}).flatMap(([name, each]) => {
    const { [name]: _removed, ...others } = valid
    const missing = schema.required?.includes(name)
      ? [{ why: `${name} missing`, value: others, path: name }]
      : []
    return [
      ...missing,
      ...invalidValues(each).map((inner) => nestedIn(name, inner, (value) => ({ ...valid, [name]: value }))),
    ]
  })
}

// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

/** The longest texts, in characters, that are also accepted as numbers (docs/behaviour/writing.md#other-forms). */
const longestShortText = 1000

const takesNumbers = ({ type, format, maxLength = Infinity, enum: words }: Schema): boolean =>
  type === 'string' &&
  words === undefined &&
  maxLength <= longestShortText &&
  (format === 'text' || format === undefined)

const isText = (value: Json, { type, pattern = '', minLength = 0, maxLength = Infinity }: Schema): boolean =>
  type === 'string' &&
  typeof value === 'string' &&
  value.length >= minLength &&
  value.length <= maxLength &&
  value.isWellFormed() &&
  !control.test(value) &&
  new RegExp(pattern).test(value)

/** Whether a value has one of the accepted alternative forms. */
const isForm = (schema: Schema, inputSchema: Schema, value: Json): boolean => {
  if (typeof value === 'number' && takesNumbers(schema)) return Math.abs(value) <= Number.MAX_SAFE_INTEGER
  return (inputSchema.anyOf ?? [inputSchema]).some((form) => {
    const { type, minimum = -Infinity, maximum = Infinity } = form
    if (form === schema) return false
    if (type === 'integer' && typeof value === 'number')
      return Number.isInteger(value) && value >= minimum && value <= maximum
    return isText(value, form)
  })
}

/** The same for the part of a value with a fault. */
const isFormAt = (schema: Schema, inputSchema: Schema, value: Json, path: string): boolean => {
  if (path === '') return isForm(schema, inputSchema, value)
  const [name = '', ...rest] = path.split('.')
  const part = isJsonObject(value)
    ? value[name]
    : Array.isArray(value)
      ? (value as readonly Json[])[Number(name)]
      : undefined
  if (part === undefined) return false
  const innerOf = ({ items, properties }: Schema): Schema => properties?.[name] ?? items ?? {}
  return [inputSchema, ...(inputSchema.anyOf ?? [])].some((form) =>
    isFormAt(innerOf(schema), innerOf(form), part, rest.join('.')),
  )
}

/**
 * Values that an attribute’s type rejects: the invalid values of its schema without accepted alternative forms.
 */
export const invalidValuesOfType = ({
  schema,
  inputSchema = schema,
}: Pick<ValueType, 'schema' | 'inputSchema'>): readonly InvalidValue[] =>
  invalidValues(schema).filter(({ value, path }) => !isFormAt(schema, inputSchema, value, path))

/** Values that the schema rejects, except null, which the method interprets. */
const invalidValues = (schema: Schema): readonly InvalidValue[] => {
  const { type } = schema
  if (type === undefined) throw new Error('a schema without a type')
  const others = otherTypes(type)
  switch (type) {
    case 'string':
      return [...others, ...invalidStrings(schema)]
    case 'integer':
    case 'number':
      return [...others, ...invalidNumbers(schema)]
    case 'boolean':
      return [
        ...others,
        invalid('the word yes', 'yes'),
        invalid('two', 2),
        invalid('another letter case', 'True'),
      ]
    case 'array':
      return [...others.filter(({ path }) => path === ''), ...invalidLists(schema)]
    case 'object':
      return [...others, ...invalidObjects(schema)]
    default:
      throw new Error(`no invalid values for ${JSON.stringify(schema)}`)
  }
}
