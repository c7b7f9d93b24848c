/**
 * Runs admin commands and starts of the service that another process sends, one at a time, each with its arguments and
 * environment. The programs are loaded once, which takes most of the time of a command.
 */
import { admin } from '@publishing-service/cli'
import { main } from '@publishing-service/composition-root'
import type { ProgramRequest } from './command-series.js'

const programs = { admin: () => admin(), start: () => main() } as const

// A program that finds something unavailable ends its process soon. This process runs the next one.
Object.defineProperty(process, 'exit', { value: () => undefined })

const run = async ({ program, args, environment }: ProgramRequest): Promise<void> => {
  const texts = { out: '', error: '' }
  process.stdout.write = (text) => (texts.out += String(text)) !== ''
  process.stderr.write = (text) => (texts.error += String(text)) !== ''
  process.argv = [process.execPath, program, ...args]
  process.env = { ...environment }
  process.exitCode = 0
  await programs[program]()
  process.removeAllListeners('SIGTERM').removeAllListeners('SIGINT')
  process.send?.({ code: process.exitCode, ...texts })
}

process.on('message', (request: ProgramRequest) => void run(request))
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
