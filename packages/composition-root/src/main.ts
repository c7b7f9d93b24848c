/** The service as a process: starts it from the environment, says how it goes, ends it when a signal asks for that. */
import { E } from '@publishing-service/domain'
import { complain, wordsOf } from './complain.js'
import { configurationOfProcess } from './environment.js'
import type { Modules } from './container.js'
import { endProcess } from './end-process.js'
import { exitCodes } from './exit-codes.js'
import { startService } from './service.js'
import { stopOnSignals } from './stop-on-signals.js'
import { welcome } from './welcome.js'

/** Starts the service, some of its modules replaced; where it can't, says why in one message and sets the exit code. */
export const main = async (replaced: Partial<Modules> = {}): Promise<void> => {
  const configuration = configurationOfProcess()
  if (E.isLeft(configuration)) {
    complain('The service can’t start: its configuration is wrong.', configuration.left)
    return endProcess(exitCodes.configuration)
  }
  const starting = startService(configuration.right, replaced)
  stopOnSignals(starting)
  try {
    process.stdout.write(welcome(await starting, configuration.right))
  } catch (error) {
    complain('The service can’t start.', [wordsOf(error)])
    endProcess(exitCodes.unavailable)
  }
}
