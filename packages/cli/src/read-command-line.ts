/** Reads the admin command's arguments: into a task, or into an exit code once help or an error has been printed. */
import { Command, CommanderError } from 'commander'
import { E, type Either } from '@publishing-service/domain'
import { apiVersion } from '@publishing-service/http-contract'
import { exitCodes, type ExitCode } from '@publishing-service/composition-root'
import type { AdminCommand, AdminTask, Choose } from './admin-task.js'
import { commandList, helpsOf, type CommandHelp } from './command-helps.js'
import { addInstanceCommands } from './instance-commands.js'
import { addKeyCommands } from './key-commands.js'
import { programName } from './result-text.js'
import { addSearchCommands } from './search-commands.js'
import { addStorageCommands } from './storage-commands.js'
import { addUserCommands } from './user-commands.js'

const description = `Administers a publishing service: its instances, users, keys and storage. It reads the same environment variables as
the service, DATA_DIR above all, and works whether or not the service is running.`

const exitHelp = `
Exit codes:
  0   done
  1   failed: the message states the reason
  2   invalid command line
  69  a store is unavailable
  78  invalid environment variables`

/** Codes of a command line that requested help. */
const helpCodes: ReadonlySet<string> = new Set(['commander.helpDisplayed', 'commander.version'])

/** A key that starts with a hyphen is no option. */
const keyLike = /^-[\w-]{19}$/

const guarded = (args: readonly string[]): readonly string[] => {
  const at = args.findIndex((each) => keyLike.test(each))
  const revokes = args[0] === 'key' && args[1] === 'revoke'
  if (!revokes || at === -1 || args.includes('--')) return args
  return [...args.slice(0, at), ...args.slice(at + 1), '--', args[at] ?? '']
}

const withCommandsOf = (command: Command): readonly Command[] => [
  command,
  ...command.commands.flatMap(withCommandsOf),
]

/** Commander uses the last of several values. Here an option with one value must not be repeated. */
const rejectRepetitions = (program: Command): void => {
  for (const command of withCommandsOf(program))
    for (const option of command.options.filter(({ variadic }) => !variadic)) {
      let isGiven = false
      command.on(`option:${option.name()}`, () => {
        if (isGiven) command.error(`error: option '${option.flags}' is given more than once`)
        isGiven = true
      })
    }
}

/**
 * The admin command with all commands below it; each passes its task to `choose`. `stores` states in the help which stores
 * the environment chooses.
 */
const createProgram = (choose: Choose, stores = ''): Command => {
  const program = new Command(programName)
    .description(description)
    .version(apiVersion, '--version', 'print the version and exit')
    .option('--create', 'create the data if DATA_DIR has none')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .showHelpAfterError('Add --help for the arguments and options.')
  program
    .addHelpText('after', () => commandList(program))
    .addHelpText('after', exitHelp)
    .addHelpText('after', stores === '' ? '' : `\n${stores}`)
    .addHelpText('after', `\nExample:\n  ${programName} key create --instance 1 --role admin`)
  addInstanceCommands(program, choose)
  addUserCommands(program, choose)
  addKeyCommands(program, choose)
  addStorageCommands(program, choose)
  addSearchCommands(program, choose)
  rejectRepetitions(program)
  return program
}

/** The help of every command, for documents. */
export const commandHelps = (): readonly CommandHelp[] => helpsOf(createProgram(() => undefined))

/** `args` without the names of the runtime and the program. */
export const readCommandLine = (args: readonly string[], stores = ''): Either<ExitCode, AdminCommand> => {
  const chosen: { task: AdminTask | null } = { task: null }
  const program = createProgram((task) => {
    chosen.task = task
  }, stores)
  try {
    program.parse(guarded(args), { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return E.left(helpCodes.has(error.code) ? exitCodes.done : exitCodes.usage)
  }
  const { task } = chosen
  const { create } = program.opts<{ readonly create?: true }>()
  return task === null ? E.left(exitCodes.usage) : E.right({ task, create: create === true })
}
