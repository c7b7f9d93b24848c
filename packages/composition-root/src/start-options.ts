/** The command line of the start program, and its help. Everything that applies to more than one start is configuration. */
import { parseArgs } from 'node:util'
import { E, type Either } from '@publishing-service/domain'
import { helpSection, storesHelp, variablesHelp } from './environment-help.js'
import { configurationOfProcess } from './environment.js'

export type StartOptions = {
  /** Makes the blob store one of these documents, whatever it contains. */
  readonly adoptBlobs: boolean
}

/** The request of a command line. */
type StartRequest =
  | { readonly _tag: 'Start'; readonly options: StartOptions }
  | { readonly _tag: 'Help' }
  | { readonly _tag: 'Version' }

const options = {
  'adopt-blobs': { type: 'boolean' },
  help: { type: 'boolean' },
  version: { type: 'boolean' },
} as const

/** The options, with what each does. */
const meanings: Readonly<Record<keyof typeof options, string>> = {
  'adopt-blobs':
    'set the id of the blob store to that of the documents, if the two do not belong to each other',
  help: 'print this help and exit',
  version: 'print the version and exit',
}

const known = Object.keys(options).map((name) => `--${name}`)

/** `args` without the names of the runtime and the program; or one line for each argument that is wrong. */
export const readStartOptions = (args: readonly string[]): Either<readonly string[], StartRequest> => {
  const { values, tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true })
  const given = new Set<string>()
  const wrong = tokens.flatMap((token) => {
    const text = args[token.index] ?? ''
    const isKnown = token.kind === 'option' && token.value === undefined && Object.hasOwn(options, token.name)
    if (!isKnown) return [`${text} is no option. The options are ${known.join(', ')}`]
    if (given.has(token.name)) return [`${text} is given more than once`]
    given.add(token.name)
    return []
  })
  if (wrong.length > 0) return E.left(wrong)
  if (values.help === true) return E.right({ _tag: 'Help' })
  if (values.version === true) return E.right({ _tag: 'Version' })
  return E.right({ _tag: 'Start', options: { adoptBlobs: values['adopt-blobs'] === true } })
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
      Object.entries(meanings).map(([name, meaning]) => [`--${name}`, meaning]),
    ),
    '',
    await storesHelp(await configurationOfProcess()),
    '',
    variablesHelp(),
    '',
  ].join('\n')
