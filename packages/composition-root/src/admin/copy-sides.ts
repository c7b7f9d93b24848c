/** The two sides of a copy, each as an environment that a service could be started with. */
import { access } from 'node:fs/promises'
import { E, type Either } from '@publishing-service/domain'
import type { Configuration } from '../configuration-table.js'
import type { Modules } from '../container.js'
import { documentsFile } from '../data-directory.js'
import { configurationOfFile, configurationOfProcess } from '../environment.js'
import { exitCodes } from '../exit-codes.js'
import { storagePlaces, type StoragePlaces } from '../storage-places.js'
import type { Refusal } from './admin-task.js'

export type Side = {
  readonly configuration: Configuration
  readonly places: StoragePlaces
  /** What the program brings for its own environment; a file's stores are of the kinds that it names. */
  readonly replaced: Partial<Modules>
  /** How messages call it. */
  readonly name: string
}

export type Sides = { readonly from: Side; readonly to: Side }

/** Files of variables; the one that isn't given is the environment of this process. */
export type SideFiles = { readonly from?: string; readonly to?: string }

const nameOf = (option: keyof SideFiles, file: string | undefined): string =>
  `--${option}, ${file ?? 'the environment'}`

const wrong = (lines: readonly string[]): Either<Refusal, never> =>
  E.left({
    code: exitCodes.configuration,
    headline:
      'Nothing was copied. The sides of a copy are two environments, and something is wrong with them.',
    lines,
  })

const inMemory = ({ STORE, BLOBS }: Configuration): readonly string[] =>
  STORE === 'memory' || BLOBS === 'memory'
    ? ['what is kept in memory ends with its process, so it can’t be copied']
    : []

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** Opening a store makes it where it is missing: a mistaken folder would come to hold an empty one. */
const missingSource = async ({ configuration, replaced, name }: Side): Promise<readonly string[]> => {
  const file = documentsFile(configuration)
  if (replaced.documents !== undefined || configuration.STORE !== 'sqlite' || (await isThere(file))) return []
  return [`${name}: DATA_DIR holds no documents: there is no ${file}`]
}

/** Both sides, or all that is wrong with either. */
export const readSides = async (
  files: SideFiles,
  replaced: Partial<Modules>,
): Promise<Either<Refusal, Sides>> => {
  const read = (option: keyof SideFiles) => {
    const file = files[option]
    const name = nameOf(option, file)
    const found = file === undefined ? configurationOfProcess() : configurationOfFile(file)
    const lines = E.isLeft(found) ? found.left : inMemory(found.right)
    return { name, found, lines: lines.map((line) => `${name}: ${line}`) }
  }
  const [from, to] = [read('from'), read('to')]
  if (E.isLeft(from.found) || E.isLeft(to.found) || from.lines.length + to.lines.length > 0)
    return wrong([...from.lines, ...to.lines])
  const side = async (option: keyof SideFiles, name: string, configuration: Configuration): Promise<Side> => {
    const own = files[option] === undefined ? replaced : {}
    return { name, configuration, replaced: own, places: await storagePlaces(configuration, own) }
  }
  const sides = {
    from: await side('from', from.name, from.found.right),
    to: await side('to', to.name, to.found.right),
  }
  if (sides.from.places.documents === sides.to.places.documents)
    return wrong([`both sides keep their documents in ${sides.to.places.documents}: name another place`])
  const missing = await missingSource(sides.from)
  return missing.length > 0 ? wrong(missing) : E.right(sides)
}
