/** An admin command: its words, its options, and what it does on the data of the service. */
import type { Option, Command } from 'commander'
import type { UseCases } from '@publishing-service/application'
import type { Either } from '@publishing-service/domain'
import type { AdminResult, AdminTask, Choose, TaskFailure } from './admin-task.js'
import { onOwnData } from './on-own-data.js'
import { programName } from './result-text.js'

/** What a command does on the data of the service. */
export type Run = (useCases: UseCases) => Promise<Either<TaskFailure, AdminResult>>

type Definition<Options, Argument, Work> = {
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
  /** What the command does, or why its options are not enough. */
  readonly run: (options: Options, argument: NoInfer<Argument>) => Work | string
}

const helpOf = (examples: readonly string[], help = ''): string => {
  const heading = examples.length === 1 ? 'Example:' : 'Examples:'
  return `\n${help}${[heading, ...examples.map((each) => `  ${programName} ${each}`)].join('\n')}`
}

/** Adds a group of commands, such as `user`. */
export const addGroup = (program: Command, name: string, description: string, example: string): Command =>
  program
    .command(name)
    .description(description)
    .addHelpText('after', helpOf([example]))

/** Adds a command below a group. */
export const addTask = <Options extends object, Argument = undefined>(
  group: Command,
  choose: Choose,
  definition: Definition<Options, Argument, AdminTask['run']>,
): void => {
  const { name, summary, description, options = [], json, help, examples } = definition
  const command = group.command(name).summary(summary).description(description)
  if (definition.argument !== undefined) command.argument(...definition.argument)
  for (const option of options) command.addOption(option)
  command
    .option('--json', `print JSON: ${json}`)
    .addHelpText('after', helpOf(examples, help))
    .action(() => {
      const given = command.opts<Options & { readonly json?: true }>()
      const work = definition.run(given, command.processedArgs[0])
      if (typeof work === 'string') return command.error(`error: ${work}`)
      choose({ json: given.json === true, run: work })
    })
}

/** Adds a command on the data of the service below a group. */
export const addCommand = <Options extends object, Argument = undefined>(
  group: Command,
  choose: Choose,
  definition: Definition<Options, Argument, Run>,
): void =>
  addTask<Options, Argument>(group, choose, {
    ...definition,
    run: (options, argument) => {
      const work = definition.run(options, argument)
      return typeof work === 'string' ? work : onOwnData(work)
    },
  })
