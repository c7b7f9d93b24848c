/** Every admin command with its summary and its help. */
import type { Command } from 'commander'
import { textTable } from './result-text.js'

export type CommandHelp = {
  /** The words of the command: `key create`. */
  readonly name: string
  /** What it does, in a few words. */
  readonly summary: string
  /** What --help prints. */
  readonly help: string
}

/** The commands that do something, each with its words, in the order of `--help`. */
const commandsBelow = (
  command: Command,
  words: readonly string[] = [],
): readonly { readonly name: string; readonly command: Command }[] =>
  command.commands.length === 0
    ? [{ name: words.join(' '), command }]
    : command.commands.flatMap((each) => commandsBelow(each, [...words, each.name()]))

const helpOf = (command: Command): string => {
  let help = ''
  command.configureOutput({ writeOut: (text) => (help += text), getOutHelpWidth: () => 100 }).outputHelp()
  return help
}

/** All commands of a program, each with its summary, as part of the program's help. */
export const commandList = (program: Command): string =>
  textTable(
    ['\nAll commands:', ''],
    commandsBelow(program).map(({ name, command }) => [`  ${name}`, command.summary()]),
  )

export const helpsOf = (program: Command): readonly CommandHelp[] =>
  commandsBelow(program).map(({ name, command }) => ({
    name,
    summary: command.summary(),
    help: helpOf(command),
  }))
