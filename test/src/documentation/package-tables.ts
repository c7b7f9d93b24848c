/** The packages and their dependencies, from their package.json files. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './documents.js'
import { markdownTable } from './markdown-table.js'

type Manifest = { readonly dependencies?: Readonly<Record<string, string>> }

type Package = {
  readonly name: string
  /** The packages of this repository that it imports in production. */
  readonly knows: readonly string[]
  /** The names of packages from the registry. */
  readonly registry: readonly string[]
}

const scope = '@publishing-service/'

const readPackage = (name: string): Package => {
  const manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')) as Manifest
  const dependencies = Object.keys(manifest.dependencies ?? {})
  return {
    name,
    knows: dependencies
      .filter((each) => each.startsWith(scope))
      .map((each) => each.slice(scope.length))
      .toSorted(),
    registry: dependencies.filter((each) => !each.startsWith(scope)),
  }
}

/** The entry packages: the service, its administration commands, the conformance tests, and the client. */
const entryPackages = ['composition-root', 'cli', 'conformance', 'client']

/** In topological order: each package comes after its dependencies. */
const inDependencyOrder = (): readonly Package[] => {
  const placed = new Set<string>()
  const order: Package[] = []
  const visit = (name: string): void => {
    if (placed.has(name)) return
    placed.add(name)
    const found = readPackage(name)
    found.knows.forEach(visit)
    order.push(found)
  }
  entryPackages.forEach(visit)
  return order
}

/** Whether one package depends on another indirectly. */
const isImplied = (packages: readonly Package[], from: Package, to: string): boolean => {
  const reaches = (name: string): boolean =>
    name === to || (packages.find((each) => each.name === name)?.knows.some(reaches) ?? false)
  return from.knows.some((each) => each !== to && reaches(each))
}

/** The imports of each package, from this repository and from the registry. */
export const packageTable = (): string =>
  markdownTable(
    ['Package', 'Knows', 'From the registry'],
    inDependencyOrder().map(({ name, knows, registry }) => [
      `\`${name}\``,
      knows.join(', ') || '–',
      registry.map((each) => `\`${each}\``).join(', ') || '–',
    ]),
  )

/** A diagram of the packages. An arrow points to an imported package; indirect dependencies have no arrow. */
export const packagePicture = (): string => {
  const packages = inDependencyOrder()
  const arrows = packages
    .toReversed()
    .flatMap((each) =>
      each.knows
        .filter((name) => !isImplied(packages, each, name))
        .map((name) => `  ${each.name} --> ${name}`),
    )
  return ['```mermaid', 'flowchart TD', ...arrows, '```'].join('\n')
}
