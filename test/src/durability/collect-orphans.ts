/** Garbage collection with a later clock, on stores that running services use. */
import { controlledClock } from '@publishing-service/adapter-memory'
import { createUseCases } from '@publishing-service/application'
import { createContainer, tokens } from '@publishing-service/composition-root'
import { configurationOf } from '../harness/start-test-service.js'
import type { Environment } from './service-process.js'

const day = 86_400_000

/**
 * Quarantines blobs that no file references with a clock this many days ahead, and deletes them immediately.
 * Returns the number of their uploads. No service starts with that clock, because its tokens would expire.
 */
export const collectOrphans = async (environment: Environment, days = 2): Promise<number> => {
  const container = createContainer(configurationOf({ LOG_LEVEL: 'error', ...environment }))
  try {
    const clock = controlledClock(Date.now() + days * day)
    const ports = { ...(await container.getAsync(tokens.ports)), clock }
    const { garbageCollection } = createUseCases(ports, await container.getAsync(tokens.deployment))
    await garbageCollection.collect()
    return (await garbageCollection.deleteAll()).length
  } finally {
    await container.unbindAll()
  }
}
