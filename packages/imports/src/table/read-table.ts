/** Reads the rows of a table as locations, events, articles or redirects (docs/import.md#tables). */
import { fault, type Fault } from '@publishing-service/domain'
import { parseUuid } from '@publishing-service/domain/declare'
import { E, type Either } from '@publishing-service/domain/fp'
import {
  fileNote,
  importedObject,
  importRecord,
  tableCollections,
  type ImportedObject,
  type ImportNote,
  type ImportRecord,
  type ImportSource,
  type TableCollection,
  type TableMapping,
} from '@publishing-service/domain/imports'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { toBody } from '@publishing-service/foreign-markup'
import { bodyOf } from '../body-of.js'
import { derivedUuid } from '../derived-uuid.js'
import { eventUrlname } from '../event-urlname.js'
import { describedBy, namedTagRecord } from '../named-tags.js'
import { TakenPaths, urlnameFrom } from '../taken-paths.js'
import { UnreadableSource } from '../unreadable-source.js'
import { cellValue, withPart } from './cell-value.js'
import { schemaAt, tableContentTypes, TableTargets, type Target } from './table-target.js'

/** A row, with the line at which it begins. */
export type TableRow = { readonly line: number; readonly cells: readonly string[] }

export type TableOptions = {
  readonly collection: TableCollection
  readonly mapping: TableMapping
  /** The time zone of the instance. */
  readonly zone: string
  /** Tells tables apart whose rows have the same ids; empty for the only one. */
  readonly source: string
}

type Column = { readonly header: string; readonly index: number; readonly target: Target | null }

export type TableSource = ImportSource & {
  /** The headers of the columns that are not imported. */
  readonly ignored: readonly string[]
}

const isEmpty = ({ cells }: TableRow): boolean => cells.every((cell) => cell.trim() === '')

/** Between the positions of two redirects, so that others fit in. */
const step = 10

const longestShown = 60

const shown = (cell: string): string => {
  const line = cell.trim().replaceAll(/\s+/g, ' ')
  return `“${line.length > longestShown ? `${line.slice(0, longestShown)}…` : line}”`
}

/** Whether a text of HTML has no elements that divide it, so that its lines do. */
const hasTextLines = (html: string): boolean =>
  !/<(?:p|br|div|ul|ol|h[1-6]|table|blockquote|hr)\b/i.test(html)

const unreadable = (message: string): UnreadableSource => new UnreadableSource(message)

/** The columns of a table, by its first row. Throws an UnreadableSource for a row or a mapping that does not fit. */
const columnsOf = (
  { cells }: TableRow,
  { columns, id }: TableMapping,
  targets: TableTargets,
): readonly Column[] => {
  const headers = cells.map((cell) => cell.trim())
  const twice = headers.find((header, index) => header !== '' && headers.indexOf(header) !== index)
  if (twice !== undefined) throw unreadable(`two columns have the header ${shown(twice)}`)
  const named = `The columns are ${headers
    .filter((header) => header !== '')
    .map(shown)
    .join(', ')}`
  const missing = [...Object.keys(columns ?? {}), ...(id === null ? [] : [id])].find(
    (header) => !headers.includes(header),
  )
  if (missing !== undefined)
    throw unreadable(`it has no column ${shown(missing)}, which the mapping names. ${named}`)
  const accepted = `The names are ${targets.names.join(', ')}`
  const found = headers.map((header, index): Column => {
    const name = columns === null ? header : Object.hasOwn(columns, header) ? columns[header] : undefined
    const target = name === undefined ? null : targets.find(name)
    if (columns !== null && name !== undefined && target === null)
      throw unreadable(`the mapping of ${shown(header)}: ${name} cannot be imported. ${accepted}`)
    return { header, index, target }
  })
  if (found.every(({ target }) => target === null))
    throw unreadable(
      `no column has the name of an attribute of ${targets.collection}: name a mapping. ${named}. ${accepted}`,
    )
  return found
}

/** Constants as they are sent. Throws an UnreadableSource for one that no object can have. */
const requireConstants = ({ constants }: TableMapping, targets: TableTargets, zone: string): void => {
  const variants = targets.resource.variant === undefined ? [''] : tableContentTypes
  for (const [name, value] of Object.entries(constants)) {
    const attributes = variants.flatMap((variant) => targets.attribute(name, variant) ?? [])
    if (attributes.length === 0)
      throw unreadable(
        `the mapping: constants.${name} cannot be imported. The names are ${targets.names.join(', ')}`,
      )
    for (const { type } of attributes) {
      const decoded = type.decode(value, { zone, streamingHosts: [], strict: false })
      if (E.isLeft(decoded) && type.madeFromText === undefined)
        throw unreadable(
          `the mapping: constants.${name} ${decoded.left.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')}`,
        )
    }
  }
}

/** What the cells of a row are. */
type RowValues = {
  readonly attributes: Record<string, Json>
  readonly slots: ImportedObject['slots']
  readonly tags: readonly string[]
  readonly earlierPaths: readonly string[]
  readonly notes: readonly ImportNote[]
  readonly faults: readonly Fault[]
}

class TableReader {
  readonly #options: TableOptions
  readonly #targets: TableTargets
  readonly #columns: readonly Column[]
  readonly #idColumn: Column | null
  readonly #site: string
  readonly #paths = new TakenPaths()
  /** The lines of the rows by UUID. */
  readonly #lines = new Map<string, number>()
  readonly #tags = new Set<string>()

  constructor(header: TableRow, options: TableOptions) {
    const { collection, mapping, source } = options
    this.#options = options
    this.#targets = new TableTargets(collection)
    requireConstants(mapping, this.#targets, options.zone)
    this.#columns = columnsOf(header, mapping, this.#targets)
    const id = mapping.id ?? 'id'
    this.#idColumn = this.#columns.find((column) => column.header === id) ?? null
    this.#site = `table ${source}`.trim()
  }

  get ignored(): readonly string[] {
    return this.#columns
      .filter((column) => column.target === null && column !== this.#idColumn && column.header !== '')
      .map(({ header }) => header)
  }

  #uuid(collection: string, id: string): string {
    return derivedUuid(this.#site, collection, id)
  }

  /** The variant of a row: the type of content, and nothing for other collections. */
  #variant({ cells }: TableRow): Either<Fault, string> {
    const { variant, attributes } = this.#targets.resource
    const attribute = variant === undefined ? undefined : attributes[variant]
    if (variant === undefined || attribute?.kind !== 'stored') return E.right('')
    const column = this.#columns.find(({ target }) => target?.part === null && target.name === variant)
    const written = column === undefined ? '' : (cells[column.index] ?? '').trim()
    const given = written === '' ? this.#options.mapping.constants[variant] : written.toLowerCase()
    const decoded = attribute.type.decode(given, { zone: 'UTC', streamingHosts: [], strict: false })
    const found = tableContentTypes.find((type) => E.isRight(decoded) && decoded.right === type)
    const place = column === undefined ? variant : `column ${shown(column.header)}`
    const wrong = written === '' ? '' : `; it is ${shown(written)}`
    return found === undefined
      ? E.left(
          fault(
            place,
            'choice',
            `must be ${tableContentTypes.join(' or ')}: tables have no other content${wrong}`,
          ),
        )
      : E.right(found)
  }

  /** A reference: a UUID, or the id of a row of a table of the other collection with the same source. */
  #referenceIn(text: string, targets: readonly string[]): string {
    const [target] = targets
    const isOfTable = tableCollections.some((each) => each === target)
    return target !== undefined && isOfTable && parseUuid(text) === null ? this.#uuid(target, text) : text
  }

  #markup(
    text: string,
    name: string,
    key: string,
  ): Pick<RowValues, 'slots' | 'notes'> & { readonly value: string } {
    const options = { hasTextLines: hasTextLines(text) }
    if (this.#options.collection !== 'content' || name !== 'content') {
      const value = /[<&]/.test(text) ? toBody(text, options).markup : text
      return { value, slots: [], notes: [] }
    }
    const slotId = (number: number): string => derivedUuid(this.#site, 'slot', `${key} ${number}`)
    const { markup, slots, notes } = bodyOf({ html: text, options, fileOf: () => null, slotId })
    return { value: markup, slots, notes: notes.map((note) => ({ ...note, line: null })) }
  }

  /** The values of the cells, without those that their types do not accept. */
  #values({ cells, line }: TableRow, variant: string, key: string): RowValues {
    const { mapping, zone } = this.#options
    const { constants, separator } = mapping
    const written = new Map<string, Json>()
    const slots: ImportedObject['slots'][number][] = []
    const notes: ImportNote[] = []
    const faults: Fault[] = []
    const lists = { tags: new Set<string>(), earlier_paths: new Set<string>() }
    for (const { header, index, target } of this.#columns) {
      const cell = cells[index] ?? ''
      if (target === null || cell.trim() === '') continue
      if (target.part !== null) {
        const entries = cell.split(separator).map((each) => each.trim())
        for (const entry of entries) if (entry !== '') lists[target.part].add(entry)
        continue
      }
      const { name, path } = target
      if (name === this.#targets.resource.variant) continue
      const attribute = this.#targets.attribute(name, variant)
      const schema = schemaAt(attribute?.type.schema, path)
      if (attribute === undefined || schema === undefined) {
        notes.push(fileNote('column', `column ${shown(header)} is left out: ${variant} has no ${name}`, line))
        continue
      }
      let value = cellValue(target.read(cell.trim()), schema, separator)
      if (typeof value === 'string' && schema.format === 'uuid')
        value = this.#referenceIn(value, attribute.type.targets ?? [])
      if (typeof value === 'string' && /markup/.test(schema.format ?? '')) {
        const made = this.#markup(value, name, key)
        value = made.value
        slots.push(...made.slots)
        notes.push(...made.notes)
      }
      written.set(name, withPart(written.get(name), attribute.type.schema, path, value))
    }
    const attributes: Record<string, Json> = { ...constants }
    for (const [name, value] of written) {
      const attribute = this.#targets.attribute(name, variant)
      if (attribute === undefined) continue
      attributes[name] = value
      const decoded = attribute.type.decode(value, { zone, streamingHosts: [], strict: false })
      if (E.isRight(decoded) || attribute.type.madeFromText !== undefined) continue
      const found = decoded.left.map((each) => this.#faultOf(each, name, cells))
      const isNeeded =
        attribute.kind === 'stored' && (attribute.required === true || attribute.heavy === true)
      if (isNeeded) faults.push(...found)
      else {
        delete attributes[name]
        notes.push(
          ...found.map(({ path, message }) => fileNote('cell', `${path} is left out: ${message}`, line)),
        )
      }
    }
    return { attributes, slots, tags: [...lists.tags], earlierPaths: [...lists.earlier_paths], notes, faults }
  }

  /** A fault of a value as one of the cell that it comes from. */
  #faultOf({ path, code, message }: Fault, name: string, cells: readonly string[]): Fault {
    const columns = this.#columns.flatMap((column) => {
      const { target } = column
      return target !== null && target.part === null && target.name === name ? [{ ...column, target }] : []
    })
    const inner = path === '' ? [] : path.split('.')
    const column =
      columns.find(({ target }) => target.path.every((each, index) => each === inner[index])) ?? columns[0]
    const cell = column === undefined ? '' : (cells[column.index] ?? '')
    const place = column === undefined ? name : `column ${shown(column.header)}`
    return fault(place, code, `${message}${cell === '' ? '' : `; it is ${shown(cell)}`}`)
  }

  #urlname(attributes: JsonObject, variant: string): JsonObject {
    const { title, dtstart, section_uuid: section } = attributes
    if (this.#options.collection === 'redirects' || typeof title !== 'string' || 'urlname' in attributes)
      return {}
    const isRecurring = ['rrule', 'rdates'].some((name) => name in attributes)
    const wanted =
      variant === 'event' && typeof dtstart === 'string'
        ? eventUrlname(title, dtstart, isRecurring)
        : urlnameFrom('', title, variant === '' ? 'location' : variant)
    const parent = variant === 'article' ? `${String(section ?? '')}/` : `${variant}/`
    return { urlname: this.#paths.take(`/${parent}`, wanted).urlname }
  }

  /** A fault for each attribute that the object cannot be without, unless it is made here. */
  #missing(attributes: JsonObject, variant: string): readonly Fault[] {
    const made = new Set(['urlname', 'ord', this.#targets.resource.variant])
    return this.#targets.required(variant).flatMap((name) => {
      if (made.has(name) || Object.hasOwn(attributes, name)) return []
      const column = this.#columns.find(({ target }) => target?.part === null && target.name === name)
      return column === undefined
        ? [fault(name, 'required', 'is required, and no column has it')]
        : [fault(`column ${shown(column.header)}`, 'required', 'must not be empty')]
    })
  }

  /** The faults of a row as a whole. */
  #rowFaults({ cells }: TableRow, id: string, uuid: string): readonly Fault[] {
    const count = this.#columns.length
    const isTooLong = cells.slice(count).some((cell) => cell.trim() !== '')
    const column = this.#idColumn
    const before = column === null ? undefined : this.#lines.get(uuid)
    if (isTooLong || cells.length < count)
      return [
        fault(
          '',
          'length',
          `the row has ${cells.length} cells, and the table ${count} columns: a cell with a separator or a line break is written in quotation marks`,
        ),
      ]
    if (column !== null && id === '')
      return [
        fault(
          `column ${shown(column.header)}`,
          'required',
          'must not be empty, because it identifies the row',
        ),
      ]
    return column === null || before === undefined
      ? []
      : [
          fault(
            `column ${shown(column.header)}`,
            'taken',
            `must be another one than in line ${before}; it is ${shown(id)}`,
          ),
        ]
  }

  /** The records of a row: its tags that no row before it has, and the object. `number` counts from 1. */
  *recordsOf(row: TableRow, number: number): Generator<ImportRecord> {
    const { collection } = this.#options
    const { cells, line } = row
    const column = this.#idColumn
    const id = column === null ? '' : (cells[column.index] ?? '').trim()
    const key = column === null ? JSON.stringify(cells) : id
    const uuid = this.#uuid(collection, key)
    const source = `${collection} ${id}`.trim()
    const variant = this.#variant(row)
    const ofRow = this.#rowFaults(row, id, uuid)
    if (ofRow.length > 0 || E.isLeft(variant)) {
      const faults = ofRow.length > 0 || E.isRight(variant) ? ofRow : [variant.left]
      yield importRecord({ origin: { source, title: '', line }, faults })
      return
    }
    const before = this.#lines.get(uuid)
    if (before !== undefined) {
      const notes = [fileNote('row', `not taken over: it is the same as line ${before}`, line)]
      yield importRecord({ origin: { source, title: '', line }, notes })
      return
    }
    this.#lines.set(uuid, line)
    const values = this.#values(row, variant.right, key)
    const { attributes, slots, tags, earlierPaths, notes } = values
    const faults = [...values.faults, ...this.#missing(attributes, variant.right)]
    const { title, pattern } = attributes
    const origin = {
      source,
      title: [title, pattern].find((each) => typeof each === 'string')?.toString() ?? '',
      line,
    }
    if (faults.length > 0) {
      yield importRecord({ origin, notes, faults })
      return
    }
    for (const name of tags) {
      if (this.#tags.has(name)) continue
      this.#tags.add(name)
      yield namedTagRecord(this.#site, 'tag', name)
    }
    const object = importedObject({
      collection,
      id: uuid,
      attributes: {
        ...(collection === 'redirects' ? { ord: number * step } : {}),
        ...attributes,
        ...(variant.right === '' ? {} : { content_type: variant.right }),
        ...this.#urlname(attributes, variant.right),
      },
      slots,
      tags: describedBy(this.#site, tags),
      earlier_paths: earlierPaths,
    })
    yield importRecord({ origin, notes, object })
  }
}

/**
 * The rows of a table. `open` returns them with the headers first; it is called once more for each reading. Throws an
 * UnreadableSource for a table whose columns are not known, and what `open` throws.
 */
export const readTable = async (
  open: () => AsyncIterable<TableRow>,
  options: TableOptions,
): Promise<TableSource> => {
  async function* read(): AsyncGenerator<ImportRecord, TableReader | null> {
    let reader: TableReader | null = null
    let number = 0
    for await (const row of open()) {
      if (isEmpty(row)) continue
      if (reader === null) {
        reader = new TableReader(row, options)
        yield* reader.ignored.map((header) =>
          importRecord({
            origin: { source: 'column', title: header, line: row.line },
            notes: [fileNote('column', `column ${shown(header)} is not imported`, row.line)],
          }),
        )
        continue
      }
      number += 1
      yield* reader.recordsOf(row, number)
    }
    return reader
  }

  let total = 0
  const records = read()
  for (;;) {
    const next = await records.next()
    if (next.done !== true) total += 1
    else if (next.value === null) throw unreadable('it is no table: it is empty')
    else
      return {
        total,
        ignored: next.value.ignored,
        records: async function* () {
          yield* read()
        },
      }
  }
}
