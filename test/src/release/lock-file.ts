/** What package-lock.json says of production: npm marks there what only development needs. */
import { isJsonObject, type JsonObject } from '@publishing-service/domain/json'

const folderOfPackages = 'node_modules/'

const packagesOf = ({ packages }: JsonObject): readonly (readonly [string, JsonObject])[] =>
  Object.entries(isJsonObject(packages) ? packages : {}).flatMap(([path, entry]) =>
    isJsonObject(entry) ? [[path, entry] as const] : [],
  )

/** The name of a package by its entry, or by the folder it is installed in. */
const nameOf = (path: string, { name }: JsonObject): string =>
  typeof name === 'string' ? name : path.slice(path.lastIndexOf(folderOfPackages) + folderOfPackages.length)

const refOf = (path: string, entry: JsonObject): string =>
  `${nameOf(path, entry)}@${String(entry['version'])}`

/** The packages of the registry that production needs, or can use, as `name@version`. */
export const productionPackages = (lock: JsonObject): ReadonlySet<string> =>
  new Set(
    packagesOf(lock)
      .filter(([path, { dev, link }]) => path.includes(folderOfPackages) && dev !== true && link !== true)
      .map(([path, entry]) => refOf(path, entry)),
  )

const namesIn = (list: JsonObject[string] | undefined): readonly string[] =>
  isJsonObject(list) ? Object.keys(list) : []

/** The names that the packages of this repository need for development only, by `name@version` of each. */
export const developmentNames = (lock: JsonObject): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(
    packagesOf(lock)
      .filter(([path]) => !path.includes(folderOfPackages))
      .map(([path, entry]) => {
        const { dependencies, optionalDependencies, peerDependencies, devDependencies } = entry
        const needed = new Set([dependencies, optionalDependencies, peerDependencies].flatMap(namesIn))
        return [refOf(path, entry), new Set(namesIn(devDependencies).filter((name) => !needed.has(name)))]
      }),
  )
