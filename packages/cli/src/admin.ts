/** The admin command as a process: reads its arguments, runs the command, prints the result. */
import {
  printError,
  configurationOfProcess,
  endProcess,
  exitCodes,
  storesHelp,
  errorText,
  type ExitCode,
  type ReplaceableModules,
} from '@publishing-service/composition-root'
import { E } from '@publishing-service/domain/fp'
import { CommandFailure } from './command-failure.js'
import { readCommandLine, type CommandLine } from './read-command-line.js'

const helpWords: ReadonlySet<string> = new Set(['--help', '-h', 'help'])

const perform = async (
  { task: { json, run }, create }: CommandLine,
  replaced: Partial<ReplaceableModules>,
): Promise<ExitCode> => {
  try {
    const { value, text, code = exitCodes.done } = await run({ replaced, create })
    process.stdout.write(`${json ? JSON.stringify(value) : text}\n`)
    return code
  } catch (error) {
    const { code, lines, headline } =
      error instanceof CommandFailure ? error : new CommandFailure(exitCodes.unavailable, [errorText(error)])
    printError(headline, lines)
    return code
  }
}

/** Runs the command of the arguments, with some modules replaced, and ends with its exit code. */
export const admin = async (replaced: Partial<ReplaceableModules> = {}): Promise<void> => {
  const args = process.argv.slice(2)
  // Only a help text names the stores, and packages are loaded to name theirs.
  const stores = args.some((each) => helpWords.has(each))
    ? await storesHelp(await configurationOfProcess())
    : ''
  const command = readCommandLine(args, stores)
  const code = E.isLeft(command) ? command.left : await perform(command.right, replaced)
  if (code === exitCodes.unavailable) endProcess(code)
  else process.exitCode = code
}
