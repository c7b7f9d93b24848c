/** Work on the data that the environment gives to the service itself. */
import { E, type Either } from '@publishing-service/domain'
import type { UseCases } from '@publishing-service/application'
import type { Configuration } from '../configuration-table.js'
import { createContainer, type Modules } from '../container.js'
import { prepareDataDirectory } from '../data-directory.js'
import { configurationOfProcess } from '../environment.js'
import { exitCodes } from '../exit-codes.js'
import { resolve } from '../token.js'
import { tokens } from '../tokens.js'
import { refuseUnfinishedCopy } from '../unfinished-copy.js'
import type { AdminAnswer, AdminTask, Refusal } from './admin-task.js'

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
    const useCases = await resolve(container, tokens.useCases)
    await refuseUnfinishedCopy(useCases)
    return await work(useCases)
  } finally {
    await container.unbindAllAsync()
  }
}

/** A task that works with the use cases. */
export const onOwnData =
  (work: (useCases: UseCases) => Promise<Either<Refusal, AdminAnswer>>): AdminTask['run'] =>
  async (replaced) => {
    const configuration = configurationOfProcess()
    if (E.isRight(configuration) && configuration.right.STORE !== 'memory')
      return withUseCases(configuration.right, replaced, work)
    return E.left({
      code: exitCodes.configuration,
      headline: 'Nothing was done. The environment is wrong.',
      lines: E.isLeft(configuration) ? configuration.left : [memoryHelp],
    })
  }
