/** Bills of materials in CycloneDX, as npm writes them: pure functions over the JSON. */
import { isJsonList, isJsonObject, type Json, type JsonObject } from '@publishing-service/domain/json'
import { developmentNames, productionPackages } from './lock-file.js'

/** A package with its version, `name@version` in `bom-ref`. */
export type Component = JsonObject & { readonly 'bom-ref': string }
export type Bill = JsonObject

const isComponent = (value: Json): value is Component =>
  isJsonObject(value) && typeof value['bom-ref'] === 'string'

const objectAt = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {})
const listOf = (value: Json | undefined): readonly Json[] => (isJsonList(value) ? value : [])

export const componentsOf = ({ components }: Bill): readonly Component[] =>
  listOf(components).filter(isComponent)

type Dependence = { readonly ref: string; readonly dependsOn: readonly string[] }

const dependencesOf = ({ dependencies }: Bill): readonly Dependence[] =>
  listOf(dependencies)
    .filter(isJsonObject)
    .flatMap(({ ref, dependsOn }) =>
      typeof ref === 'string'
        ? [{ ref, dependsOn: listOf(dependsOn).filter((each) => typeof each === 'string') }]
        : [],
    )

/** Whether a workspace is published: examples are not. */
const isPrivate = ({ properties }: Component): boolean =>
  listOf(properties).some((each) => isJsonObject(each) && each['name'] === 'cdx:npm:package:private')

/** The packages of the registry that a package of this repository contains in a bundle, as `name@version`. */
export type Bundled = Readonly<Record<string, readonly string[]>>

export type BillParts = {
  /** The bill of all dependencies of the lock file, those of development too. */
  readonly all: Bill
  readonly lock: JsonObject
  readonly bundled: Bundled
  /** The name of the root; npm writes that of its folder. */
  readonly name: string
}

const nameOf = (ref: string): string => ref.slice(0, ref.lastIndexOf('@'))

/**
 * The bill of what is released: what production needs, and what bundles contain; without tools and examples. `npm sbom --omit dev`
 * leaves out what is needed by both production and development, such as Koa, so it is not used.
 */
export const completeBill = ({ all, lock, bundled, name }: BillParts): Bill => {
  const wanted = new Set([...productionPackages(lock), ...Object.values(bundled).flat()])
  const development = developmentNames(lock)
  const components = componentsOf(all)
    .filter((each) => wanted.has(each['bom-ref']) || (development.has(each['bom-ref']) && !isPrivate(each)))
    .toSorted((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1))
  const metadata = objectAt(all['metadata'])
  const own = objectAt(metadata['component'])
  const refs = new Set([...components.map((each) => each['bom-ref']), own['bom-ref']])
  const dependencies = dependencesOf(all)
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => {
      const tools = development.get(ref)
      const needed = dependsOn.filter((each) => tools?.has(nameOf(each)) !== true)
      const list = new Set([...needed, ...(bundled[nameOf(ref)] ?? [])])
      return { ref, dependsOn: [...list].filter((each) => refs.has(each)) }
    })
  return { ...all, metadata: { ...metadata, component: { ...own, name } }, components, dependencies }
}

/** The faults of a bill that lacks what the lock file or a bundle has. */
export const missingComponents = (bill: Bill, { lock, bundled }: BillParts): readonly string[] => {
  const refs = new Set(componentsOf(bill).map((each) => each['bom-ref']))
  const missing = (wanted: Iterable<string>, source: string): readonly string[] =>
    [...wanted]
      .filter((ref) => !refs.has(ref))
      .map((ref) => `the bill of materials lacks ${ref} of ${source}`)
  return [
    ...missing(productionPackages(lock), 'package-lock.json'),
    ...Object.entries(bundled).flatMap(([name, contained]) => missing(contained, `the bundle of ${name}`)),
  ]
}
