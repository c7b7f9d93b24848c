/** Commands on the data of the service, by the same environment. */
import { resolve as resolvePath } from 'node:path'
import { E } from '@publishing-service/domain/fp'
import type { ImportTrial, UseCases } from '@publishing-service/application'
import {
  configurationOfProcess,
  createContainer,
  exitCodes,
  missingData,
  openImportTrial,
  prepareDataDirectory,
  rejectUnfinishedCopy,
  tokens,
  type Configuration,
} from '@publishing-service/composition-root'
import { CommandFailure } from './command-failure.js'
import type { CommandResult, Run } from './command.js'

export const memoryHelp =
  'STORE=memory stores documents in the process of the service, which no other process can read: unset STORE, or set ' +
  'BOOTSTRAP_API_KEY and BOOTSTRAP_API_SECRET when you start the service'

export const invalidEnvironment = (lines: readonly string[]): CommandFailure =>
  new CommandFailure(exitCodes.configuration, lines, 'Nothing was done. The environment is invalid.')

type Context = {
  readonly configuration: Configuration
  /** Opens the data so that what is written to it remains in memory. */
  readonly openTrial: () => Promise<ImportTrial>
}

/** A command that uses the use cases, without HTTP, on the configured data. */
export const onOwnData =
  (work: (useCases: UseCases, context: Context) => Promise<CommandResult>): Run =>
  async ({ replaced, create }) => {
    const found = await configurationOfProcess()
    if (E.isLeft(found)) throw invalidEnvironment(found.left)
    const { configuration } = found.right
    if (configuration.documentStore.medium === 'memory') throw invalidEnvironment([memoryHelp])
    const missing = create ? null : await missingData(configuration)
    if (missing !== null)
      throw new CommandFailure(exitCodes.configuration, [
        `DATA_DIR, ${resolvePath(configuration.DATA_DIR)}, contains no data of a service: ${missing} is missing. ` +
          'Correct DATA_DIR, or add --create to create the data',
      ])
    await prepareDataDirectory(configuration)
    const container = createContainer(configuration, replaced)
    try {
      const useCases = await container.getAsync(tokens.useCases)
      await rejectUnfinishedCopy(useCases)
      const result = await work(useCases, { configuration, openTrial: () => openImportTrial(container) })
      await useCases.audit.writeWaiting()
      return result
    } finally {
      await container.unbindAll()
    }
  }
