/** Reads the admin command's arguments: into a task, or into an exit code once help or what is wrong has been told. */
import { Command, CommanderError } from 'commander'
import { E, type Either } from '@publishing-service/domain'
import { exitCodes, type ExitCode } from '../exit-codes.js'
import type { AdminTask } from './admin-task.js'
import { addInstanceCommands } from './instance-commands.js'
import { addKeyCommands } from './key-commands.js'
import { programName } from './program-name.js'
import { addStorageCommands } from './storage-commands.js'

const description = `Administers a publishing service: its instances, the keys to them, and where it keeps its data.
It works on the data that the same environment gives to the service (DATA_DIR above all), whether or not the
service is running.`

const exitHelp = `
Exit codes:
  0   done
  1   refused: the message says by which rule
  2   the command line isn’t one that it knows
  69  the data can’t be reached
  78  the environment is wrong`

/** These name a command line that asked for help and got it. */
const helpCodes: ReadonlySet<string> = new Set(['commander.helpDisplayed', 'commander.version'])

/** A key that starts with a hyphen is no option. */
const keyLike = /^-[\w-]{19}$/

const guarded = (args: readonly string[]): readonly string[] => {
  const at = args.findIndex((each) => keyLike.test(each))
  const revokes = args[0] === 'key' && args[1] === 'revoke'
  if (!revokes || at === -1 || args.includes('--')) return args
  return [...args.slice(0, at), ...args.slice(at + 1), '--', args[at] ?? '']
}

/** `args` without the names of the runtime and the program. */
export const readCommandLine = (args: readonly string[]): Either<ExitCode, AdminTask> => {
  const chosen: { task: AdminTask | null } = { task: null }
  const choose = (task: AdminTask): void => {
    chosen.task = task
  }
  const program = new Command(programName)
    .description(description)
    .exitOverride()
    .showHelpAfterError('Add --help to see what it takes.')
    .addHelpText('after', exitHelp)
    .addHelpText('after', `\nExample:\n  ${programName} key create --instance 1 --role admin`)
  addInstanceCommands(program, choose)
  addKeyCommands(program, choose)
  addStorageCommands(program, choose)
  try {
    program.parse(guarded(args), { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return E.left(helpCodes.has(error.code) ? exitCodes.done : exitCodes.usage)
  }
  return chosen.task === null ? E.left(exitCodes.usage) : E.right(chosen.task)
}
