/** A series of admin commands in one process. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { environmentOf, type Environment, type ProcessResult } from '../start-up/program.js'

export type AdminRequest = { readonly args: readonly string[]; readonly environment: NodeJS.ProcessEnv }

export type CommandSeries = {
  /** Runs a command after the earlier ones. A command that finds a store unavailable ends the series. */
  readonly run: (environment: Environment, ...args: readonly string[]) => Promise<ProcessResult>
  readonly end: () => void
}

const processModule = fileURLToPath(new URL('admin-process.js', import.meta.url))

export const startCommandSeries = (): CommandSeries => {
  const child = fork(processModule)
  const ended = once(child, 'exit').then((): never => {
    throw new Error('the process of the commands has ended')
  })
  ended.catch(() => undefined)
  let last: Promise<unknown> = Promise.resolve()
  const send = async (request: AdminRequest): Promise<ProcessResult> => {
    child.send(request)
    const [result] = await Promise.race([once(child, 'message'), ended])
    return result as ProcessResult
  }
  return {
    run: (environment, ...args) => {
      const request = { args, environment: environmentOf({ LOG_LEVEL: 'error', ...environment }) }
      const result = last.then(() => send(request))
      last = result.catch(() => undefined)
      return result
    },
    end: () => void child.kill(),
  }
}
