/** Tasks on the data of the service, by the same environment. */
import { resolve as resolvePath } from 'node:path'
import { E, type Either } from '@publishing-service/domain'
import type { UseCases } from '@publishing-service/application'
import {
  configurationOfProcess,
  createContainer,
  exitCodes,
  missingData,
  prepareDataDirectory,
  rejectUnfinishedCopy,
  tokens,
  type Configuration,
} from '@publishing-service/composition-root'
import { isPortFailure } from '@publishing-service/ports'
import type { AdminResult, AdminTask, TaskFailure } from './admin-task.js'
import { taskFailureOf } from './task-failure-of.js'

const memoryHelp =
  'STORE=memory stores documents in the process of the service, which no other process can read: unset STORE, or set ' +
  'BOOTSTRAP_API_KEY and BOOTSTRAP_API_SECRET when you start the service'

const memoryLines = ({ documentStore }: Configuration): readonly string[] =>
  documentStore.medium === 'memory' ? [memoryHelp] : []

const noData = ({ DATA_DIR }: Configuration, missing: string): TaskFailure => ({
  code: exitCodes.configuration,
  lines: [
    `DATA_DIR, ${resolvePath(DATA_DIR)}, contains no data of a service: ${missing} is missing. Correct DATA_DIR, or add --create to create the data`,
  ],
})

/** A task that uses the use cases, without HTTP, on the configured data. A PortFailure that it throws is its result. */
export const onOwnData =
  (work: (useCases: UseCases) => Promise<Either<TaskFailure, AdminResult>>): AdminTask['run'] =>
  async ({ replaced, create }) => {
    const found = await configurationOfProcess()
    const lines = E.isLeft(found) ? found.left : memoryLines(found.right.configuration)
    if (E.isLeft(found) || lines.length > 0)
      return E.left({
        code: exitCodes.configuration,
        headline: 'Nothing was done. The environment is invalid.',
        lines,
      })
    const { configuration } = found.right
    const missing = create ? null : await missingData(configuration)
    if (missing !== null) return E.left(noData(configuration, missing))
    await prepareDataDirectory(configuration)
    const container = createContainer(configuration, replaced)
    try {
      const useCases = await container.getAsync(tokens.useCases)
      await rejectUnfinishedCopy(useCases)
      const result = await work(useCases)
      await useCases.audit.writeWaiting()
      return result
    } catch (error) {
      if (isPortFailure(error)) return E.left(taskFailureOf(error))
      throw error
    } finally {
      await container.unbindAllAsync()
    }
  }
