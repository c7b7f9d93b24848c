/** An admin command: its words, its options, what it does, and how its result is printed. */
import type { Command, Option } from 'commander'
import { attempt } from '@publishing-service/application'
import type { ExitCode, ReplaceableModules } from '@publishing-service/composition-root'
import type { ProblemTag } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { Json } from '@publishing-service/domain/json'
import { commandFailureOf, listHint } from './command-failure.js'
import { programName, textTable } from './result-text.js'

/** The result of a command: what `--json` prints, and its text. */
export type CommandResult = {
  readonly value: Json
  readonly text: string
  /** If it is not `done`, the result contains what was found. */
  readonly code?: ExitCode
}

/** The context of every command. */
export type Setting = {
  /** The modules that the program replaces. */
  readonly replaced: Partial<ReplaceableModules>
  /** Whether data is created if DATA_DIR is empty. */
  readonly create: boolean
}

/** Rejects with a CommandFailure, or with an Error for the operator if something that it needs is unavailable. */
export type Run = (setting: Setting) => Promise<CommandResult>

/** What a command line chooses: a command with its options, and whether the result is printed as JSON. */
export type Task = { readonly json: boolean; readonly run: Run }

type Definition<Options, Argument> = {
  readonly name: string
  readonly summary: string
  readonly description: string
  /** Its one argument: `<user>`, what it is, and what reads it. */
  readonly argument?: readonly [name: string, description: string, read: (text: string) => Argument]
  readonly options?: readonly Option[]
  /** What `--json` prints. */
  readonly json: string
  /** Lines above the examples. */
  readonly help?: string
  /** Command lines without the name of the program. */
  readonly examples: readonly string[]
  /** What an option names that does not exist; its one argument by default. */
  readonly missing?: (options: Options) => string
  /** A hint for the fault of an option. */
  readonly advice?: (option: string, options: Options) => string | null
  /** What the command does, or why its options are not enough. */
  readonly run: (options: Options, argument: NoInfer<Argument>) => Run | string
}

/** Adds itself to its group, and passes what a command line chooses to `choose`. */
export type AdminCommand = (group: Command, choose: (task: Task) => void) => void

export const helpOfExamples = (examples: readonly string[], help = ''): string => {
  const heading = examples.length === 1 ? 'Example:' : 'Examples:'
  return `\n${help}${[heading, ...examples.map((each) => `  ${programName} ${each}`)].join('\n')}`
}

/** Commander uses the last of several values. Here no option may be repeated. */
export const rejectRepetitions = (command: Command): void => {
  for (const option of command.options) {
    let isGiven = false
    command.on(`option:${option.name()}`, () => {
      if (isGiven) command.error(`error: option '${option.flags}' is given more than once`)
      isGiven = true
    })
  }
}

/** A command of the table, which no longer shows the types of its options and its argument. */
export const adminCommand =
  <Options extends object, Argument = undefined>(definition: Definition<Options, Argument>): AdminCommand =>
  (group, choose) => {
    const { name, summary, description, options = [], json, help, examples, advice } = definition
    const command = group.command(name).summary(summary).description(description)
    if (definition.argument !== undefined) command.argument(...definition.argument)
    for (const option of options) command.addOption(option)
    command
      .option('--json', `print JSON: ${json}`)
      .addHelpText('after', helpOfExamples(examples, help))
      .action(() => {
        const given = command.opts<Options & { readonly json?: true }>()
        const argument: Argument = command.processedArgs[0]
        const run = definition.run(given, argument)
        if (typeof run === 'string') return command.error(`error: ${run}`)
        choose({
          json: given.json === true,
          run: async (setting) => {
            const result = await attempt<CommandResult, ProblemTag>(() => run(setting))
            if (E.isRight(result)) return result.right
            const missing =
              definition.missing?.(given) ??
              `there is no ${group.name()} ${String(argument)}. ${listHint(group.name())}`
            throw commandFailureOf(result.left, missing, (option) => advice?.(option, given) ?? null)
          },
        })
      })
    rejectRepetitions(command)
  }

/** The rows of a list and their table; `empty` is the text if there are none. */
export const listResult = <Row extends Json>(
  rows: readonly Row[],
  empty: string,
  columns: Readonly<Record<string, (row: Row) => string>>,
): CommandResult => ({
  value: [...rows],
  text:
    rows.length === 0
      ? empty
      : textTable(
          Object.keys(columns),
          rows.map((row) => Object.values(columns).map((cell) => cell(row))),
        ),
})
