/** How references within values are found, and how values are returned after their targets are deleted (docs/behaviour/writing.md#deleted-targets). */
import { within } from '../fault.js'
import { isJsonObject, type Json } from '../json.js'
import type { Reference, ValueType } from './value-type.js'
import { uuid } from './text.js'

type Referring = Pick<ValueType, 'references' | 'resolve'>

/** A reference: null after its target is deleted. */
const referringTo = (collection: string, media?: Reference['media']): Referring => {
  const refer = (id: string) => ({ path: '', collection, id, ...(media === undefined ? {} : { media }) })
  return {
    references: (value) => (typeof value === 'string' ? [refer(value.toLowerCase())] : []),
    resolve: (id, isAlive) => (typeof id === 'string' && isAlive(refer(id)) ? id : null),
  }
}

/** A list of items of a type: without those that cannot be read without a deleted target. */
export const referringItems = ({ references, resolve }: ValueType): Referring => ({
  ...(references === undefined
    ? {}
    : {
        references: (value) =>
          Array.isArray(value) ? value.flatMap((each: Json, index) => within(index, references(each))) : [],
      }),
  ...(resolve === undefined
    ? {}
    : {
        resolve: (value, isAlive) =>
          Array.isArray(value)
            ? value.map((each: Json) => resolve(each, isAlive)).filter((each) => each !== null)
            : value,
      }),
})

type Member = { readonly type: ValueType; readonly required?: boolean }

/** An object with members: null if the target of a required reference is deleted. */
export const referringMembers = (
  members: readonly (readonly [name: string, member: Member])[],
): Referring => {
  const referring = members.filter(([, { type }]) => type.references !== undefined)
  return {
    ...(referring.length === 0
      ? {}
      : {
          references: (value) =>
            referring.flatMap(([name, { type }]) => {
              const part = isJsonObject(value) ? (value[name] ?? null) : null
              return part === null ? [] : within(name, type.references?.(part) ?? [])
            }),
        }),
    resolve: (value, isAlive) => {
      if (!isJsonObject(value)) return null
      const read: Record<string, Json> = {}
      for (const [name, { type, required }] of members) {
        const part = value[name] ?? null
        read[name] = part === null || type.resolve === undefined ? part : type.resolve(part, isAlive)
        if (required && read[name] === null) return null
      }
      return read
    },
  }
}

type ReferenceOptions = { readonly media?: 'image' | 'audio' }

/** The UUID of an object of the same instance; reads as null after that object is deleted (docs/behaviour/writing.md#deleted-targets). */
export const reference = (collection: string, { media }: ReferenceOptions = {}): ValueType<string> => ({
  ...uuid,
  targets: [collection],
  ...referringTo(collection, media),
})
