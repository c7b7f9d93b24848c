import type { JsonObject } from '@publishing-service/domain/json'

export type Section = 'schemas' | 'responses' | 'parameters' | 'headers'

/**
 * The components of a document, collected while it is built: each is created by the first reference to it, so that none
 * is unused.
 */
export type Components = {
  /** A reference to a component, which is created if there is none of this name yet. */
  readonly refer: (section: Section, name: string, make: () => JsonObject) => JsonObject
  /** The schema that a reference is to, or the schema itself. */
  readonly resolve: (schema: JsonObject) => JsonObject
  /** All components, each section in the order of names. */
  readonly gathered: () => JsonObject
}

const byName = <A>(entries: Iterable<readonly [string, A]>): Readonly<Record<string, A>> =>
  Object.fromEntries([...entries].toSorted(([a], [b]) => (a < b ? -1 : 1)))

export const createComponents = (): Components => {
  const sections = new Map<Section, Map<string, JsonObject>>()
  return {
    refer: (section, name, make) => {
      const parts = sections.get(section) ?? new Map<string, JsonObject>()
      sections.set(section, parts)
      if (!parts.has(name)) {
        // Registered before it is created, for components that refer to themselves.
        parts.set(name, {})
        parts.set(name, make())
      }
      return { $ref: `#/components/${section}/${name}` }
    },
    resolve: (schema) => {
      const { $ref: reference } = schema
      if (typeof reference !== 'string') return schema
      const found = sections.get('schemas')?.get(reference.split('/').at(-1) ?? '')
      if (found === undefined) throw new Error(`there is no component ${reference}`)
      return found
    },
    gathered: () => byName([...sections].map(([section, parts]) => [section, byName(parts)])),
  }
}
