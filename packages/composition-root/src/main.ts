import { readFileSync } from 'node:fs'
import { E } from '@publishing-service/domain'
import { readConfiguration } from './read-configuration.js'
import { startService, type Service } from './service.js'
import { welcome } from './welcome.js'

/** sysexits.h: the configuration is wrong; something needed is out of reach. */
const exitConfiguration = 78
const exitUnavailable = 69

const complain = (headline: string, lines: readonly string[]): void => {
  process.stderr.write(`${headline}\n${lines.map((line) => `  - ${line}\n`).join('')}`)
}

const stopOn = (service: Service): void => {
  const stop = async (): Promise<void> => {
    await service.stop()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop())
}

/** Starts the service from the environment; ends the process with words where it can't. */
export const main = async (): Promise<void> => {
  const configuration = readConfiguration(process.env, (path) => readFileSync(path, 'utf8'))
  if (E.isLeft(configuration)) {
    complain('The service can’t start: its configuration is wrong.', configuration.left)
    process.exitCode = exitConfiguration
    return
  }
  try {
    const service = await startService(configuration.right)
    stopOn(service)
    process.stdout.write(await welcome(service))
  } catch (error) {
    complain('The service can’t start.', [error instanceof Error ? error.message : String(error)])
    process.exitCode = exitUnavailable
  }
}
