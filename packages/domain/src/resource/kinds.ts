/** Resources that are listed together, as kinds of objects. */
import { derived } from './attribute.js'
import type { Resource } from './resource.js'

/** The resources, each with its name as the field `type`. */
export const kindsOf = (resources: readonly Resource[]): readonly Resource[] => {
  const names = resources.map(({ name }) => name)
  return resources.map((resource) => ({
    ...resource,
    attributes: {
      ...resource.attributes,
      type: derived({ type: 'string', enum: names }, 'Kind of the object.', () => resource.name),
    },
  }))
}

/** The entries of a table of all kinds, by name. */
export const entriesOfKinds = <A>(
  kinds: readonly Resource[],
  tableOf: (kind: Resource) => Readonly<Record<string, A>>,
): Readonly<Record<string, A>> => Object.fromEntries(kinds.flatMap((kind) => Object.entries(tableOf(kind))))
