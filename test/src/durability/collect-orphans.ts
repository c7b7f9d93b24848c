/** Garbage collection as it is days later, on stores that services work on as well. */
import { controlledClock } from '@publishing-service/adapter-memory'
import { createUseCases } from '@publishing-service/application'
import { createContainer, resolve, tokens } from '@publishing-service/composition-root'
import { configurationOf } from '../harness/start-test-service.js'
import type { Environment } from './service-process.js'

const day = 86_400_000

/**
 * Quarantines what no file names, so many days from now, and deletes it at once; answers how many uploads that were. No
 * service of that day is started, which would end all tokens.
 */
export const collectOrphans = async (environment: Environment, days = 2): Promise<number> => {
  const container = createContainer(configurationOf({ LOG_LEVEL: 'error', ...environment }))
  try {
    const ports = {
      documents: await resolve(container, tokens.documents),
      blobs: await resolve(container, tokens.blobs),
      imaging: await resolve(container, tokens.imaging),
      ids: await resolve(container, tokens.ids),
      secrets: await resolve(container, tokens.secrets),
      checksum: await resolve(container, tokens.checksum),
      log: await resolve(container, tokens.log),
      clock: controlledClock(Date.now() + days * day),
    }
    const { garbageCollection } = createUseCases(ports, await resolve(container, tokens.deployment))
    await garbageCollection.collect()
    return (await garbageCollection.deleteAll()).length
  } finally {
    await container.unbindAllAsync()
  }
}
