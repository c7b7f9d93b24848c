/** Reads an object of an import from JSON. */
import { fault, type Fault } from '../fault.js'
import { E, type Either } from '../fp.js'
import { isJsonObject, type Json, type JsonObject } from '../json.js'
import { parseUuid } from '../value/text.js'
import { ImportedObject, importedObject } from './imported-object.js'

const required = { collection: '', id: '', attributes: {} } as const
const defaults: JsonObject = importedObject(required)
const names = [...Object.keys(required), ...Object.keys(defaults)].filter(
  (name, index, all) => all.indexOf(name) === index,
)

/** What a part must be, by the tag of its codec; an object by default. */
const expected: Readonly<Record<string, string>> = {
  StringType: 'a text',
  UnionType: 'a text or null',
  ReadonlyArrayType: 'a list',
}

const tagOf = (type: object | undefined): string =>
  type !== undefined && '_tag' in type ? String(type._tag) : ''

const typeFaults = (value: Json): readonly Fault[] => {
  const decoded = ImportedObject.decode(value)
  if (E.isRight(decoded)) return []
  return decoded.left.map(({ context }) => {
    // The keys within unions are the numbers of their parts.
    const keys = context.filter((_entry, index) => tagOf(context[index - 1]?.type) !== 'UnionType')
    const path = keys.flatMap(({ key }) => (key === '' ? [] : [key])).join('.')
    return fault(path, 'type', `must be ${expected[tagOf(context.at(-1)?.type)] ?? 'an object'}`)
  })
}

/** The object that a value is; its parts may be absent. */
export const readImportedObject = (value: unknown): Either<readonly Fault[], ImportedObject> => {
  if (!isJsonObject(value)) return E.left([fault('', 'type', 'must be an object of JSON')])
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(defaults, name))
  const missing = Object.fromEntries(Object.keys(required).map((name) => [name, null]))
  const whole: JsonObject = { ...defaults, ...missing, ...value }
  const faults = [
    ...unknown.map((name) => fault(name, 'unknown', `is not accepted: the names are ${names.join(', ')}`)),
    ...typeFaults(whole),
  ]
  if (faults.length > 0 || !ImportedObject.is(whole)) return E.left(faults)
  const id = parseUuid(whole.id)
  return id === null ? E.left([fault('id', 'format', 'must be a UUID')]) : E.right({ ...whole, id })
}
