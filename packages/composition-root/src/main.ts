/** The program: the service in this process, or the primary of several workers, or one of these. */
import type { ReplaceableModules } from './container.js'
import { workerCountOf, workerNameOf, workerVariable } from './workers/worker-count.js'

/**
 * Starts the service, with some modules replaced, as the environment configures it. What this process does not need is not loaded:
 * the primary has no part of the service, and a service alone nothing of workers.
 */
export const main = async (replaced: Partial<ReplaceableModules> = {}): Promise<void> => {
  const name = process.send === undefined ? null : workerNameOf(process.env[workerVariable])
  // A value that is not valid is reported with the rest of the configuration.
  const workers = workerCountOf(process.env['WORKERS'] ?? '1') ?? 1
  if (name === null && workers > 1) {
    const { runPrimary } = await import('./workers/primary.js')
    return runPrimary(workers, process.argv.slice(2))
  }
  // With `auto` on one core there is nothing to replace, and a reload must not end the service.
  if (name === null && process.env['WORKERS'] === 'auto') process.on('SIGHUP', () => undefined)
  const { runService } = await import('./run-service.js')
  if (name === null) return runService(replaced, null)
  const { workerProcess } = await import('./workers/worker-process.js')
  return runService(replaced, workerProcess(name))
}
