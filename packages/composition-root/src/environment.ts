/** The configuration that this process was started with. */
import { readFileSync } from 'node:fs'
import type { Either } from '@publishing-service/domain'
import type { Configuration } from './configuration-table.js'
import { readConfiguration } from './read-configuration.js'

/** One message for each variable that is wrong; never the value of a secret. */
export const configurationOfProcess = (): Either<readonly string[], Configuration> =>
  readConfiguration(process.env, (path) => readFileSync(path, 'utf8'))
