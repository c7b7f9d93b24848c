/** The admin command as a process: reads its arguments, does the task, tells the answer. */
import { E } from '@publishing-service/domain'
import { complain, wordsOf } from '../complain.js'
import type { Modules } from '../container.js'
import { endProcess } from '../end-process.js'
import { exitCodes, type ExitCode } from '../exit-codes.js'
import type { AdminTask } from './admin-task.js'
import { readCommandLine } from './read-command-line.js'

const nothingDone = 'Nothing was done.'

const perform = async ({ json, run }: AdminTask, replaced: Partial<Modules>): Promise<ExitCode> => {
  try {
    const result = await run(replaced)
    if (E.isLeft(result)) {
      complain(result.left.headline ?? nothingDone, result.left.lines)
      return result.left.code
    }
    const { value, text } = result.right
    process.stdout.write(`${json ? JSON.stringify(value) : text}\n`)
    return exitCodes.done
  } catch (error) {
    complain(nothingDone, [wordsOf(error)])
    return exitCodes.unavailable
  }
}

/** Does what the process's arguments ask for, with some modules replaced, and ends with its exit code. */
export const admin = async (replaced: Partial<Modules> = {}): Promise<void> => {
  const task = readCommandLine(process.argv.slice(2))
  const code = E.isLeft(task) ? task.left : await perform(task.right, replaced)
  if (code === exitCodes.unavailable) endProcess(code)
  else process.exitCode = code
}
