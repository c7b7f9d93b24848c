/** What can be imported, with the options of each kind (docs/import.md). */
import { within } from '../fault.js'
import { E } from '../fp.js'
import { isJsonObject, jsonObject } from '../json.js'
import { defaulted, stored, type WholeOf } from '../resource/attribute.js'
import { webAddress } from '../value/address.js'
import { listOf, record } from '../value/record.js'
import { boolean, oneOf } from '../value/scalar.js'
import { text } from '../value/text.js'
import { opaque, refused, type ValueType } from '../value/value-type.js'

const states = oneOf(['draft', 'published'])

const source = defaulted(text({ max: 255 }), '', 'A name for the source, if others have the same ids.')

const encoding = stored(
  text({ max: 40 }),
  'Encoding of the file; UTF-8, or windows-1252 if it is none, by default.',
)

/** The collections that tables are imported into. */
export const tableCollections = ['locations', 'content', 'redirects'] as const
export type TableCollection = (typeof tableCollections)[number]

const mostColumns = 1000

const columnName = text({ max: 255, min: 1 })

const isNames = (value: unknown): value is Readonly<Record<string, string>> =>
  isJsonObject(value) && Object.values(value).every((each) => typeof each === 'string')

/** Names by the headers of columns. */
const columnNames: ValueType<Readonly<Record<string, string>>> = {
  schema: {
    type: 'object',
    additionalProperties: { ...columnName.schema, description: 'Name of an attribute.' },
  },
  isStored: isNames,
  decode: (value, context) => {
    if (!isJsonObject(value))
      return refused('type', 'must be an object with a name for each header, such as {"Name": "title"}')
    const entries = Object.entries(value)
    if (entries.length > mostColumns) return refused('length', `must have at most ${mostColumns} columns`)
    const faults = entries.flatMap(([header, name]) => {
      const decoded = columnName.decode(name, context)
      return E.isLeft(decoded) ? within(header, decoded.left) : []
    })
    return faults.length > 0 || !isNames(value) ? E.left(faults) : E.right(value)
  },
}

const mapping = {
  columns: stored(
    columnNames,
    'What each column is, by its header: `{"Name": "title"}`. By default headers are names.',
  ),
  constants: defaulted(
    {
      ...opaque(jsonObject),
      schema: { type: 'object', additionalProperties: { description: 'The value of an attribute.' } },
    },
    {},
    'Attributes of all objects.',
  ),
  id: stored(
    columnName,
    'Header of the column that identifies a row; by default `id`, or else the whole row.',
  ),
  separator: defaulted(text({ max: 10, min: 1 }), '|', 'What is between the entries of a list in a cell.'),
} as const

/** Which columns of a table become which attributes. */
export type TableMapping = WholeOf<typeof mapping>

/** The mapping of a table whose headers are names. */
export const plainMapping: TableMapping = { columns: null, constants: {}, id: null, separator: '|' }

export const importOptions = {
  json: {},
  wordpress: {
    types: defaulted(
      listOf(text({ max: 100, min: 1 }), 50),
      [],
      'Further types of posts that become articles, such as portfolio.',
    ),
  },
  ghost: {
    site: stored(webAddress, 'Address of the website.', { required: true }),
    member_posts: defaulted(states, 'draft', 'State of published posts that only members could read.'),
    sections: defaulted(oneOf(['none', 'primary-tag']), 'none', 'What sections are made of.'),
  },
  feed: {
    site: stored(webAddress, 'Address of the website, if the feed does not have it.'),
    state: defaulted(states, 'published', 'State of the articles.'),
    media: defaulted(oneOf(['files', 'addresses']), 'addresses', 'What becomes of pictures and sounds.'),
  },
  ics: {
    state: defaulted(states, 'published', 'State of the events.'),
    source,
    encoding,
  },
  csv: {
    collection: stored(oneOf(tableCollections), 'What the rows are.', { required: true }),
    mapping: defaulted(record(mapping), plainMapping, 'Which columns are which attributes.'),
    source,
    encoding,
  },
  bundle: {
    only: defaulted(
      listOf(text({ max: 100, min: 1 }), 10_000),
      [],
      'Objects that are wanted, as `collection/uuid`; all by default.',
    ),
    new_ids: defaulted(boolean, false, 'Whether all objects have other UUIDs than in the file.'),
  },
} as const

export type ImportKind = keyof typeof importOptions
/** Kinds of other systems: a bundle is of this one. */
export type ForeignKind = Exclude<ImportKind, 'bundle'>
export type ImportOptionsOf<K extends ImportKind> = WholeOf<(typeof importOptions)[K]>

export const importKinds = [
  'json',
  'wordpress',
  'ghost',
  'feed',
  'ics',
  'csv',
  'bundle',
] as const satisfies readonly ImportKind[]

/** The options of each kind as values, by which they are decoded. */
export const importOptionTypes: { readonly [K in ImportKind]: ValueType<ImportOptionsOf<K>> } = {
  json: record(importOptions.json),
  wordpress: record(importOptions.wordpress),
  ghost: record(importOptions.ghost),
  feed: record(importOptions.feed),
  ics: record(importOptions.ics),
  csv: record(importOptions.csv),
  bundle: record(importOptions.bundle),
}
