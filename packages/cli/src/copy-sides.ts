/** The two sides of a copy, each as an environment that a service could be started with. */
import {
  configurationOfFile,
  configurationOfProcess,
  exitCodes,
  missingData,
  type Configuration,
  type Configured,
} from '@publishing-service/composition-root'
import { E, type Either } from '@publishing-service/domain/fp'
import { CommandFailure } from './command-failure.js'

/** Where documents and file data are, for messages. Equal places are the same stores. */
type StoragePlaces = { readonly documents: string; readonly blobs: string }

export type Side = {
  readonly configuration: Configuration
  readonly places: StoragePlaces
  /** How messages call it. */
  readonly name: string
}

export type Sides = { readonly from: Side; readonly to: Side }

/** Files of variables. The default is the environment of this process. */
export type SideFiles = { readonly from?: string; readonly to?: string }

/** A side for messages: its stores, or an export. */
export type NamedSide = Pick<Side, 'name' | 'places'>

const nameOf = (option: keyof SideFiles, file: string | undefined): string =>
  `--${option}, ${file ?? 'the environment'}`

const wrong = (lines: readonly string[]): CommandFailure =>
  new CommandFailure(
    exitCodes.configuration,
    lines,
    'Nothing was copied. The environment of a side is invalid.',
  )

const inMemory = ({ documentStore, blobStore }: Configuration): readonly string[] =>
  documentStore.medium === 'memory' || blobStore.medium === 'memory'
    ? ['a store in memory ends with its process, so it cannot be copied']
    : []

/** The target must be named explicitly. */
const unnamedTarget = ({ configuration, environment }: Configured): readonly string[] => {
  const { documentStore, blobStore } = configuration
  return [...new Set([...documentStore.location, ...blobStore.location])]
    .filter((name) => environment[name] === undefined && environment[`${name}_FILE`] === undefined)
    .map((name) => `${name} must be set, because it selects the target; its default is not used for a copy`)
}

const sideOf = async (configuration: Configuration, name: string): Promise<Side> => {
  const { documentStore, blobStore } = configuration
  const places = {
    documents: await documentStore.place(configuration),
    blobs: await blobStore.place(configuration),
  }
  return { name, configuration, places }
}

/** The side of a file or of this process, or what is wrong with it. */
const readSide = async (
  name: string,
  file: string | undefined,
  check: (found: Configured) => readonly string[] = () => [],
): Promise<Either<readonly string[], Side>> => {
  const found = await (file === undefined ? configurationOfProcess() : configurationOfFile(file))
  const lines = E.isLeft(found) ? found.left : [...inMemory(found.right.configuration), ...check(found.right)]
  return E.isLeft(found) || lines.length > 0
    ? E.left(lines.map((line) => `${name}: ${line}`))
    : E.right(await sideOf(found.right.configuration, name))
}

/** Rejects if the source has no data: opening a store creates it, so a mistyped folder would get an empty store. */
const requireData = async ({ configuration, name }: Side): Promise<void> => {
  const missing = await missingData(configuration)
  if (missing !== null)
    throw wrong([`${name}: DATA_DIR contains no data of a service: ${missing} is missing`])
}

/** Both sides. Rejects with all that is wrong with either. */
export const readSides = async (files: SideFiles): Promise<Sides> => {
  const from = await readSide(nameOf('from', files.from), files.from)
  const to = await readSide(nameOf('to', files.to), files.to, unnamedTarget)
  if (E.isLeft(from) || E.isLeft(to))
    throw wrong([from, to].flatMap((side) => (E.isLeft(side) ? side.left : [])))
  const sides = { from: from.right, to: to.right }
  if (sides.from.places.documents === sides.to.places.documents)
    throw wrong([`both sides have their documents in ${sides.to.places.documents}: choose another target`])
  await requireData(sides.from)
  return sides
}

/** The stores of the environment, as the source or the target of a copy. Rejects with all that is wrong. */
export const readOwnSide = async (as: keyof SideFiles): Promise<Side> => {
  const side = await readSide('the environment', undefined, as === 'to' ? unnamedTarget : undefined)
  if (E.isLeft(side)) throw wrong(side.left)
  if (as === 'from') await requireData(side.right)
  return side.right
}
