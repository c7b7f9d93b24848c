/** What the manifests of all packages have to agree on, and the order in which they are published. */
import { isJsonObject, type JsonObject } from '@publishing-service/domain/json'

export type Manifest = {
  /** The path from the root. */
  readonly path: string
  readonly content: JsonObject
}

const kinds = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const

const nameOf = ({ content: { name } }: Manifest): string => (typeof name === 'string' ? name : '')

type Range = { readonly kind: string; readonly name: string; readonly range: string }

const rangesOf = ({ content }: Manifest): readonly Range[] =>
  kinds.flatMap((kind) => {
    const { [kind]: list } = content
    return Object.entries(isJsonObject(list) ? list : {}).flatMap(([name, range]) =>
      typeof range === 'string' ? [{ kind, name, range }] : [],
    )
  })

/** All have one version, and refer to each other by exactly that version, or by a path. */
export const versionFaults = (version: string, manifests: readonly Manifest[]): readonly string[] => {
  const names = new Set(manifests.map(nameOf))
  return manifests.flatMap((manifest) => {
    const { version: own } = manifest.content
    return [
      ...(own === version ? [] : [`${manifest.path} has the version ${String(own)} instead of ${version}`]),
      ...rangesOf(manifest)
        .filter(({ name, range }) => names.has(name) && range !== version && !range.startsWith('file:'))
        .map(
          ({ kind, name, range }) => `${manifest.path}: ${name} in ${kind} is ${range} instead of ${version}`,
        ),
    ]
  })
}

/** The names of packages, those that others depend on first. Development may have circles. */
export const inDependencyOrder = (manifests: readonly Manifest[]): readonly string[] => {
  const byName = new Map(manifests.map((manifest) => [nameOf(manifest), manifest]))
  const ordered = new Set<string>()
  const visit = (manifest: Manifest): void => {
    for (const { kind, name } of rangesOf(manifest)) {
      const other = byName.get(name)
      if (other !== undefined && kind !== 'devDependencies' && !ordered.has(name)) visit(other)
    }
    ordered.add(nameOf(manifest))
  }
  manifests.forEach(visit)
  return [...ordered]
}
