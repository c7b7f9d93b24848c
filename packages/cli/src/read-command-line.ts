/** Reads the admin command's arguments: into a task, or into an exit code once help or an error has been printed. */
import { Command, CommanderError } from 'commander'
import { E, type Either } from '@publishing-service/domain/fp'
import { apiVersion } from '@publishing-service/http-contract'
import { exitCodes, type ExitCode } from '@publishing-service/composition-root'
import { helpOfExamples, rejectRepetitions, type AdminCommand, type Task } from './command.js'
import { doctorCommand } from './doctor/doctor-command.js'
import { importCommands } from './imports/import-commands.js'
import { backupCommands } from './backup-commands.js'
import { bundleCommands } from './bundle-commands.js'
import { instanceCommands } from './instance-commands.js'
import { keyCommands } from './key-commands.js'
import { redirectCommands } from './redirect-commands.js'
import { programName, textTable } from './result-text.js'
import { rewindCommands } from './rewind-commands.js'
import { storageCommands } from './storage-commands.js'
import { upgradeCommand } from './upgrade-command.js'
import { userCommands } from './user-commands.js'

/** A command line that was read. */
export type CommandLine = { readonly task: Task; readonly create: boolean }

export type CommandSummary = {
  /** The words of the command: `key create`. */
  readonly name: string
  /** What it does, in a few words. */
  readonly summary: string
}

type Group = readonly [name: string, description: string, example: string, commands: readonly AdminCommand[]]

const groups: readonly Group[] = [
  [
    'instance',
    'Create, list, change and delete instances, the publications of this service; export, import and rewind them.',
    'instance create --title News --timezone Europe/Vienna',
    [...instanceCommands, ...bundleCommands, ...rewindCommands],
  ],
  ['user', 'Create and list API users, and change their roles.', 'user create --name website', userCommands],
  ['key', 'Create, list and revoke API keys.', 'key create --instance 1 --role admin', keyCommands],
  [
    'import',
    'Import content of other systems into an instance.',
    'import json objects.jsonl --instance 1 --dry-run',
    importCommands,
  ],
  [
    'redirects',
    'Export the redirects of a website, for hosts of static websites.',
    'redirects export --instance 1 --format netlify',
    redirectCommands,
  ],
  ['backup', 'Make, list, check and restore backups.', 'backup create --at /mnt/backups', backupCommands],
  [
    'storage',
    'Copy all data to other stores, and check file data.',
    'storage copy --to mongodb-and-minio.env',
    storageCommands,
  ],
]

/** Commands that are about the deployment as a whole. */
const ownCommands: readonly AdminCommand[] = [doctorCommand, upgradeCommand]

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

/** The commands, those below groups with both words, in the order of `--help`. */
const commandsOf = (program: Command): readonly (readonly [name: string, command: Command])[] =>
  program.commands.flatMap((group) =>
    group.commands.length === 0
      ? [[group.name(), group] as const]
      : group.commands.map((command) => [`${group.name()} ${command.name()}`, command] as const),
  )

/**
 * The admin command with all commands below it; each passes its task to `choose`. `stores` states in the help which stores
 * the environment chooses.
 */
const createProgram = (choose: (task: Task) => void, stores = ''): Command => {
  const program = new Command(programName)
    .description(description)
    .version(apiVersion, '--version', 'print the version and exit')
    .option('--create', 'create the data if DATA_DIR has none')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .showHelpAfterError('Add --help for the arguments and options.')
  rejectRepetitions(program)
  for (const [name, meaning, example, commands] of groups) {
    const group = program
      .command(name)
      .description(meaning)
      .addHelpText('after', helpOfExamples([example]))
    for (const add of commands) add(group, choose)
  }
  for (const add of ownCommands) add(program, choose)
  const list = textTable(
    ['\nAll commands:', ''],
    commandsOf(program).map(([name, command]) => [`  ${name}`, command.summary()]),
  )
  return program.addHelpText(
    'after',
    [list, exitHelp, ...(stores === '' ? [] : [`\n${stores}`])].join('\n') +
      `\n${helpOfExamples(['key create --instance 1 --role admin'])}`,
  )
}

/** The commands, for documents. */
export const commandSummaries = (): readonly CommandSummary[] =>
  commandsOf(createProgram(() => undefined)).map(([name, command]) => ({ name, summary: command.summary() }))

/** `args` without the names of the runtime and the program. */
export const readCommandLine = (args: readonly string[], stores = ''): Either<ExitCode, CommandLine> => {
  const chosen: { task: Task | null } = { task: null }
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
