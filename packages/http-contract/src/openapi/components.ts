import type { JsonObject } from '@publishing-service/domain'

export type Section = 'schemas' | 'responses' | 'parameters' | 'headers'

/**
 * The parts of a document that others refer to, gathered while it is built: each is made when it is first referred to,
 * so that none is without use.
 */
export type Components = {
  /** A reference to a part, which is made where there is none of this name yet. */
  readonly refer: (section: Section, name: string, make: () => JsonObject) => JsonObject
  /** All that was made, each section in the order of names. */
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
        // Named before it is made, for parts that refer to themselves.
        parts.set(name, {})
        parts.set(name, make())
      }
      return { $ref: `#/components/${section}/${name}` }
    },
    gathered: () => byName([...sections].map(([section, parts]) => [section, byName(parts)])),
  }
}
