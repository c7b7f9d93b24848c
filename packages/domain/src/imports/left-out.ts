/** What an import leaves out of an object so that the rest of it is accepted. */
import type { Fault } from '../fault.js'
import type { Json, JsonObject } from '../json.js'
import type { DeclaredResource } from '../resource/resource.js'
import { urlnameOf } from '../value/fold.js'
import { maxUrlname } from '../value/text.js'
import { fileNote, type ImportNote } from './imported-object.js'

/** The rest of something, and notes about what was left out of it. */
type Reduced<A> = { readonly rest: A; readonly notes: readonly ImportNote[] }

/** Attributes, and their urlname before a number was added to it; null if they have none. */
export type NamedAttributes = { readonly attributes: JsonObject; readonly name: string | null }

/** What is sent first. */
export const namedAttributes = (attributes: JsonObject): NamedAttributes => {
  const { urlname } = attributes
  return { attributes, name: typeof urlname === 'string' ? urlname : null }
}

/** The first name in the path of a fault. */
const attributeOf = ({ path }: Fault): string => path.split('.', 1)[0] ?? ''

/** The most numbers that are tried for a urlname that another object has. */
const maxNumber = 100

/** The urlname after this one for the same name: `a-title`, `a-title-2`, `a-title-3`; null after the last number. */
const nextUrlname = (urlname: string, name: string): string | null => {
  const [, digits = '1'] = urlname === name ? [] : (/-(\d+)$/.exec(urlname) ?? [])
  const number = Number(digits) + 1
  const end = `-${number}`
  return number > maxNumber ? null : `${name.slice(0, maxUrlname - end.length)}${end}`
}

/** Another urlname in place of one that has a fault; null if there is none. `name` is the one before any number. */
const otherUrlname = (urlname: string, name: string, { code }: Fault): string | null => {
  if (code === 'taken') return nextUrlname(urlname, name)
  const made = urlnameOf(urlname).slice(0, maxUrlname)
  return made === '' || made === urlname ? null : made
}

/**
 * The attributes without those that have a fault, and with another urlname where that has one. Null if the object cannot
 * be without one of them: a body is never left out, and an attribute that is required is not sent.
 */
export const attributesWithout = (
  { attributes: table }: Pick<DeclaredResource, 'attributes'>,
  { attributes, name: firstName }: NamedAttributes,
  faults: readonly Fault[],
): Reduced<NamedAttributes> | null => {
  const rest: Record<string, Json> = { ...attributes }
  const notes: ImportNote[] = []
  const done = new Set<string>()
  let name = firstName
  for (const fault of faults) {
    const attribute = attributeOf(fault)
    if (done.has(attribute)) continue
    const value = rest[attribute]
    if (value === undefined) return null
    done.add(attribute)
    const declared = Object.hasOwn(table, attribute) ? table[attribute] : undefined
    if (attribute === 'urlname') {
      const urlname = typeof value === 'string' ? otherUrlname(value, name ?? value, fault) : null
      if (urlname === null) return null
      notes.push(fileNote('urlname', `urlname is ${urlname} instead of ${String(value)}: ${fault.message}`))
      rest[attribute] = urlname
      if (fault.code !== 'taken') name = urlname
      continue
    }
    if (declared?.kind === 'stored' && (declared.heavy === true || declared.required === true)) return null
    notes.push(fileNote('attribute', `${attribute} is left out: ${fault.path} ${fault.message}`))
    delete rest[attribute]
  }
  return { rest: { attributes: rest, name }, notes }
}

/** The items of a list without those that have a fault, whose path is `items.<index>`; null if a fault is of the whole list. */
export const itemsWithout = (
  what: string,
  items: readonly JsonObject[],
  faults: readonly Fault[],
): Reduced<readonly JsonObject[]> | null => {
  const faulty = new Map<number, Fault>()
  for (const fault of faults) {
    const [, index] = /^items\.(\d+)(?:\.|$)/.exec(fault.path) ?? []
    if (index === undefined) return null
    if (!faulty.has(Number(index))) faulty.set(Number(index), fault)
  }
  return {
    rest: items.filter((_item, index) => !faulty.has(index)),
    notes: [...faulty.values()].map(({ path, message }) =>
      fileNote('part', `${what}: an entry is left out: ${path} ${message}`),
    ),
  }
}

/** The note that a whole part is left out. */
export const partLeftOut = (what: string, faults: readonly Fault[]): ImportNote =>
  fileNote(
    'part',
    `${what} is left out: ${faults.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')}`,
  )
