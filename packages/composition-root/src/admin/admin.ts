/** The admin command as a process: reads its arguments and the environment, does the task, tells the answer. */
import { E } from '@publishing-service/domain'
import type { UseCases } from '@publishing-service/application'
import { complain, wordsOf } from '../complain.js'
import type { Configuration } from '../configuration-table.js'
import { createContainer, type Modules } from '../container.js'
import { prepareDataDirectory } from '../data-directory.js'
import { configurationOfProcess } from '../environment.js'
import { exitCodes, type ExitCode } from '../exit-codes.js'
import { resolve } from '../token.js'
import { tokens } from '../tokens.js'
import type { AdminTask } from './admin-task.js'
import { readCommandLine } from './read-command-line.js'

const headline = 'Nothing was done.'

const memoryHelp =
  'STORE=memory keeps documents inside the service’s own process, where no other reaches them: unset STORE, or have ' +
  'the service make its key from BOOTSTRAP_API_KEY and BOOTSTRAP_API_SECRET'

/** The use cases without HTTP, on the data that the configuration names. */
const withUseCases = async <A>(
  configuration: Configuration,
  replaced: Partial<Modules>,
  work: (useCases: UseCases) => Promise<A>,
): Promise<A> => {
  await prepareDataDirectory(configuration)
  const container = createContainer(configuration, replaced)
  try {
    return await work(await resolve(container, tokens.useCases))
  } finally {
    await container.unbindAllAsync()
  }
}

const perform = async ({ json, run }: AdminTask, replaced: Partial<Modules>): Promise<ExitCode> => {
  const configuration = configurationOfProcess()
  if (E.isLeft(configuration) || configuration.right.STORE === 'memory') {
    complain(
      `${headline} The environment is wrong.`,
      E.isLeft(configuration) ? configuration.left : [memoryHelp],
    )
    return exitCodes.configuration
  }
  try {
    const result = await withUseCases(configuration.right, replaced, run)
    if (E.isLeft(result)) {
      complain(headline, result.left.lines)
      return result.left.code
    }
    const { value, text } = result.right
    process.stdout.write(`${json ? JSON.stringify(value) : text}\n`)
    return exitCodes.done
  } catch (error) {
    complain(headline, [wordsOf(error)])
    return exitCodes.unavailable
  }
}

/** Does what the process's arguments ask for, on a service with some modules replaced, and sets the exit code. */
export const admin = async (replaced: Partial<Modules> = {}): Promise<void> => {
  const task = readCommandLine(process.argv.slice(2))
  process.exitCode = E.isLeft(task) ? task.left : await perform(task.right, replaced)
}
