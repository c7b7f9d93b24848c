/** The admin command as a process: reads its arguments, runs the task, prints the result. */
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
import { E } from '@publishing-service/domain'
import type { AdminCommand } from './admin-task.js'
import { readCommandLine } from './read-command-line.js'

const helpWords: ReadonlySet<string> = new Set(['--help', '-h', 'help'])

const nothingDone = 'Nothing was done.'

const perform = async (
  { task: { json, run }, create }: AdminCommand,
  replaced: Partial<ReplaceableModules>,
): Promise<ExitCode> => {
  try {
    const result = await run({ replaced, create })
    if (E.isLeft(result)) {
      printError(result.left.headline ?? nothingDone, result.left.lines)
      return result.left.code
    }
    const { value, text, code = exitCodes.done } = result.right
    process.stdout.write(`${json ? JSON.stringify(value) : text}\n`)
    return code
  } catch (error) {
    printError(nothingDone, [errorText(error)])
    return exitCodes.unavailable
  }
}

/** Runs the task of the arguments, with some modules replaced, and ends with its exit code. */
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
