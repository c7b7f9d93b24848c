/** The command line of the start program, and its help. Everything that applies to more than one start is configuration. */
import { parseArgs } from 'node:util'
import { E, type Either } from '@publishing-service/domain/fp'
import { helpSection, storesHelp, variablesHelp } from './environment-help.js'
import { configurationOfProcess } from './environment.js'
import { messageOf } from './thrown-errors.js'

export type StartOptions = {
  /** Makes the blob store one of these documents, whatever it contains. */
  readonly adoptBlobs: boolean
}

/** The request of a command line. */
type StartRequest =
  | { readonly _tag: 'Start'; readonly options: StartOptions }
  | { readonly _tag: 'Help' }
  | { readonly _tag: 'Version' }

/** The options, with what each does. */
const options = {
  'adopt-blobs': {
    type: 'boolean',
    meaning: 'set the id of the blob store to that of the documents, if the two do not belong to each other',
  },
  help: { type: 'boolean', meaning: 'print this help and exit' },
  version: { type: 'boolean', meaning: 'print the version and exit' },
} as const

const known = Object.keys(options)
  .map((name) => `--${name}`)
  .join(', ')

/** `args` without the names of the runtime and the program; or what is wrong with them. */
export const readStartOptions = (args: readonly string[]): Either<string, StartRequest> => {
  try {
    const { values } = parseArgs({ args: [...args], options })
    if (values.help === true) return E.right({ _tag: 'Help' })
    if (values.version === true) return E.right({ _tag: 'Version' })
    return E.right({ _tag: 'Start', options: { adoptBlobs: values['adopt-blobs'] === true } })
  } catch (error) {
    return E.left(`${messageOf(error)}. The options are ${known}`)
  }
}

/** What --help prints: the options, the stores that the environment chooses, and every variable. */
export const startHelp = async (): Promise<string> =>
  [
    'Usage: npm start -- [options]',
    '',
    'Starts the publishing service, which variables of the environment configure.',
    '',
    helpSection(
      'Options',
      Object.entries(options).map(([name, { meaning }]) => [`--${name}`, meaning]),
    ),
    '',
    await storesHelp(await configurationOfProcess()),
    '',
    variablesHelp(),
    '',
  ].join('\n')
