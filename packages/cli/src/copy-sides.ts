/** The two sides of a copy, each as an environment that a service could be started with. */
import {
  configurationOfFile,
  configurationOfProcess,
  exitCodes,
  missingData,
  type Configuration,
  type Configured,
} from '@publishing-service/composition-root'
import { E } from '@publishing-service/domain/fp'
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

/** Both sides. Rejects with all that is wrong with either. */
export const readSides = async (files: SideFiles): Promise<Sides> => {
  const read = async (option: keyof SideFiles, check: (found: Configured) => readonly string[]) => {
    const file = files[option]
    const name = nameOf(option, file)
    const found = await (file === undefined ? configurationOfProcess() : configurationOfFile(file))
    const lines = E.isLeft(found)
      ? found.left
      : [...inMemory(found.right.configuration), ...check(found.right)]
    return { name, found, lines: lines.map((line) => `${name}: ${line}`) }
  }
  const [from, to] = [await read('from', () => []), await read('to', unnamedTarget)]
  if (E.isLeft(from.found) || E.isLeft(to.found) || from.lines.length + to.lines.length > 0)
    throw wrong([...from.lines, ...to.lines])
  const sides = {
    from: await sideOf(from.found.right.configuration, from.name),
    to: await sideOf(to.found.right.configuration, to.name),
  }
  if (sides.from.places.documents === sides.to.places.documents)
    throw wrong([`both sides have their documents in ${sides.to.places.documents}: choose another target`])
  // Opening a store creates it, so a mistyped folder would get an empty store.
  const missing = await missingData(sides.from.configuration)
  if (missing !== null)
    throw wrong([`${from.name}: DATA_DIR contains no data of a service: ${missing} is missing`])
  return sides
}
