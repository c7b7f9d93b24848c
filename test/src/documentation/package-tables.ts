/** The packages and what they know, from their package.json files. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './documents.js'
import { markdownTable } from './markdown-table.js'

type Manifest = { readonly dependencies?: Readonly<Record<string, string>> }

type Package = {
  readonly name: string
  /** Packages of this repository that it imports in production. */
  readonly knows: readonly string[]
  /** Names of packages from the registry. */
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

/** The service, its administration commands, and the tests of adapters. */
const tops = ['composition-root', 'cli', 'conformance']

/** Those below come first, so that a reader meets nothing that was not there before. */
const fromTheGround = (): readonly Package[] => {
  const placed = new Set<string>()
  const order: Package[] = []
  const place = (name: string): void => {
    if (placed.has(name)) return
    placed.add(name)
    const found = readPackage(name)
    found.knows.forEach(place)
    order.push(found)
  }
  tops.forEach(place)
  return order
}

/** Whether one package leads to another by some way that isn't the arrow between them. */
const isImplied = (packages: readonly Package[], from: Package, to: string): boolean => {
  const reaches = (name: string): boolean =>
    name === to || (packages.find((each) => each.name === name)?.knows.some(reaches) ?? false)
  return from.knows.some((each) => each !== to && reaches(each))
}

/** What each package imports, from this repository and from the registry. */
export const packageTable = (): string =>
  markdownTable(
    ['Package', 'Knows', 'From the registry'],
    fromTheGround().map(({ name, knows, registry }) => [
      `\`${name}\``,
      knows.join(', ') || '–',
      registry.map((each) => `\`${each}\``).join(', ') || '–',
    ]),
  )

/** A picture of the packages; an arrow points at what a package imports, and none repeats what others say. */
export const packagePicture = (): string => {
  const packages = fromTheGround()
  const arrows = packages
    .toReversed()
    .flatMap((each) =>
      each.knows
        .filter((name) => !isImplied(packages, each, name))
        .map((name) => `  ${each.name} --> ${name}`),
    )
  return ['```mermaid', 'flowchart TD', ...arrows, '```'].join('\n')
}
