/** The configuration that this process was started with, or that a file holds. */
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { E, type Either } from '@publishing-service/domain'
import type { Configuration } from './configuration-table.js'
import { readConfiguration } from './read-configuration.js'

const readText = (path: string): string => readFileSync(path, 'utf8')

/** One message for each variable that is wrong; never the value of a secret. */
export const configurationOfProcess = (): Either<readonly string[], Configuration> =>
  readConfiguration(process.env, readText)

/** The same from a file of lines such as `STORE=mongodb`; what it doesn't set has its default. */
export const configurationOfFile = (path: string): Either<readonly string[], Configuration> => {
  try {
    return readConfiguration(parseEnv(readText(path)), readText)
  } catch (error) {
    return E.left([`it can’t be read: ${error instanceof Error ? error.message : String(error)}`])
  }
}
