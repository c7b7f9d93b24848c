/**
 * Runs admin commands that another process sends, one at a time, each with its arguments and environment. The program
 * is loaded once, which takes most of the time of a command.
 */
import { admin } from '@publishing-service/cli'
import type { AdminRequest } from './command-series.js'

const run = async ({ args, environment }: AdminRequest): Promise<void> => {
  const texts = { out: '', error: '' }
  process.stdout.write = (text) => (texts.out += String(text)) !== ''
  process.stderr.write = (text) => (texts.error += String(text)) !== ''
  process.argv = [process.execPath, 'admin', ...args]
  process.env = { ...environment }
  process.exitCode = 0
  await admin()
  process.send?.({ code: process.exitCode, ...texts })
}

process.on('message', (request: AdminRequest) => void run(request))
