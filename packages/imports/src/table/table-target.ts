/** What the columns of a table can fill: attributes of a collection, parts of them, and parts of objects. */
import { resourceOf, type Resource } from '@publishing-service/domain'
import { attributesOf, type Attribute, type Schema, type ValueType } from '@publishing-service/domain/declare'
import type { TableCollection } from '@publishing-service/domain/imports'
import { addressParts } from '../address-parts.js'

/** The types of content that tables are imported into. */
export const tableContentTypes = ['event', 'article'] as const

type Part = 'tags' | 'earlier_paths'

export type Target =
  | { readonly part: Part }
  | {
      readonly part: null
      /** The attribute. */
      readonly name: string
      /** The names, or the numbers from 0, of the part of its value; empty for the whole. */
      readonly path: readonly string[]
      /** The cell in the form that the attribute expects. */
      readonly read: (cell: string) => string
    }

type OtherName = { readonly target: string; readonly read?: (cell: string) => string }

/** The path of an address: redirects lead from paths of the website. */
const pathOf = (cell: string): string => {
  const parts = addressParts(cell)
  return parts === null ? cell : `${parts.path || '/'}${parts.query}`
}

const permanence: Readonly<Record<string, string>> = {
  301: 'true',
  308: 'true',
  302: 'false',
  303: 'false',
  307: 'false',
}

/** Names by which tables usually have attributes. */
const otherNames: Readonly<Record<TableCollection, Readonly<Record<string, OtherName>>>> = {
  locations: { lat: { target: 'coords.0' }, long: { target: 'coords.1' } },
  content: {},
  redirects: {
    from: { target: 'pattern', read: pathOf },
    to: { target: 'template' },
    status: { target: 'permanent', read: (cell) => permanence[cell] ?? cell },
  },
}

const partsOf: Readonly<Record<TableCollection, readonly Part[]>> = {
  locations: ['tags', 'earlier_paths'],
  content: ['tags', 'earlier_paths'],
  redirects: [],
}

type Writable = Extract<Attribute, { readonly type: ValueType }>

const isWritable = (attribute: Attribute | undefined): attribute is Writable =>
  attribute?.kind === 'alias' ||
  (attribute?.kind === 'stored' &&
    attribute.internal !== true &&
    attribute.readOnly !== true &&
    attribute.part !== true)

/** The part of a schema at a path; undefined if it has none. */
export const schemaAt = (schema: Schema | undefined, path: readonly string[]): Schema | undefined => {
  const [first, ...rest] = path
  if (schema === undefined || first === undefined) return schema
  if (schema.type === 'object') return schemaAt(schema.properties?.[first], rest)
  return /^\d+$/.test(first) ? schemaAt(schema.prefixItems?.[Number(first)] ?? schema.items, rest) : undefined
}

/** The attributes that can be written, of all content that tables have. */
export class TableTargets {
  readonly collection: TableCollection
  readonly resource: Resource
  readonly #tables: ReadonlyMap<string, ReadonlyMap<string, Writable>>

  constructor(collection: TableCollection) {
    const resource = resourceOf(collection)
    if (resource === undefined) throw new TypeError(`no collection ${collection}`)
    this.collection = collection
    this.resource = resource
    const variants: readonly string[] = this.resource.variant === undefined ? [''] : tableContentTypes
    this.#tables = new Map(
      variants.map((variant) => [
        variant,
        new Map(
          Object.entries(attributesOf(resource, { [resource.variant ?? '']: variant })).flatMap(
            ([name, attribute]): readonly (readonly [string, Writable])[] =>
              isWritable(attribute) ? [[name, attribute]] : [],
          ),
        ),
      ]),
    )
  }

  /** The attribute of a name in a variant; undefined if that does not have it. */
  attribute(name: string, variant: string): Writable | undefined {
    return this.#tables.get(variant)?.get(name)
  }

  /** The names of the attributes that an object of a variant cannot be without. */
  required(variant: string): readonly string[] {
    return [...(this.#tables.get(variant) ?? [])].flatMap(([name, attribute]) =>
      attribute.kind === 'stored' && attribute.required === true ? [name] : [],
    )
  }

  /** What can be named. */
  get names(): readonly string[] {
    const attributes = [...this.#tables.values()].flatMap((table) => [...table.keys()])
    return [
      ...new Set([...attributes, ...Object.keys(otherNames[this.collection]), ...partsOf[this.collection]]),
    ]
  }

  /** What a name means; null if there is no such attribute or part. */
  find(name: string): Target | null {
    const part = partsOf[this.collection].find((each) => each === name)
    if (part !== undefined) return { part }
    const others = otherNames[this.collection]
    const other = Object.hasOwn(others, name) ? others[name] : undefined
    const [attribute = '', ...path] = (other?.target ?? name).split('.')
    const isKnown = [...this.#tables.values()].some(
      (table) => schemaAt(table.get(attribute)?.type.schema, path) !== undefined,
    )
    return isKnown ? { part: null, name: attribute, path, read: other?.read ?? ((cell) => cell) } : null
  }
}
