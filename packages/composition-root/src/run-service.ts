/** The service in this process: starts it from the environment, reports errors, and stops it on signals. */
import { E } from '@publishing-service/domain/fp'
import { apiVersion } from '@publishing-service/http-contract'
import { errorText } from './error-messages.js'
import { configurationOfProcess } from './environment.js'
import type { ReplaceableModules } from './container.js'
import { printError, endProcess, exitCodes } from './program-end.js'
import { startService } from './service.js'
import { startHelp, readStartOptions } from './start-options.js'
import { stopOnSignals } from './stop-on-signals.js'
import { welcome } from './welcome.js'
import type { WorkerProcess } from './workers/worker-process.js'

/**
 * Starts the service, with some modules replaced, alone or as a worker. If that fails, prints one message and sets the exit
 * code.
 */
export const runService = async (
  replaced: Partial<ReplaceableModules>,
  worker: WorkerProcess | null,
): Promise<void> => {
  const request = readStartOptions(process.argv.slice(2))
  if (E.isLeft(request)) {
    printError('The service can’t start: its command line is wrong.', [request.left])
    return endProcess(exitCodes.usage)
  }
  if (request.right._tag !== 'Start') worker?.leave()
  if (request.right._tag === 'Help') return void process.stdout.write(await startHelp())
  if (request.right._tag === 'Version') return void process.stdout.write(`${apiVersion}\n`)
  const found = await configurationOfProcess()
  if (E.isLeft(found)) {
    printError('The service can’t start: its configuration is wrong.', found.left)
    return endProcess(exitCodes.configuration)
  }
  const { configuration } = found.right
  const starting = startService(configuration, replaced, request.right.options, worker)
  const delay = configuration.SHUTDOWN_DELAY * 1000
  stopOnSignals(starting, delay, worker)
  try {
    const service = await starting
    if (worker === null || worker.isFirst)
      process.stdout.write(await welcome(service, configuration, process.stdout.isTTY))
    worker?.started({ logLevel: configuration.LOG_LEVEL, delay })
  } catch (error) {
    printError('The service can’t start.', [errorText(error)])
    endProcess(exitCodes.unavailable)
  }
}
