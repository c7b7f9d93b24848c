/** The configuration that this process was started with, or that a file contains. */
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { E, type Either } from '@publishing-service/domain/fp'
import type { Configuration } from './configuration.js'
import type { Variable } from './configuration-table.js'
import { readConfiguration, variablesWith, type Environment } from './read-configuration.js'
import { loadStorePackages, noStorePackages } from './stores/store-packages.js'
import { wrongNames } from './variable-names.js'
import { messageOf } from './error-messages.js'

/** A configuration, and what was set for it. */
export type Configured = {
  readonly configuration: Configuration
  readonly environment: Environment
  /** All variables that are read, those of packages included. */
  readonly variables: Readonly<Record<string, Variable<unknown>>>
}

const readText = (path: string): string => readFileSync(path, 'utf8')

/** `isShared` says whether other programs use the environment too. */
const configurationOf = async (
  environment: Environment,
  isShared: boolean,
): Promise<Either<readonly string[], Configured>> => {
  const loaded = await loadStorePackages(environment)
  const packages = E.isRight(loaded) ? loaded.right : noStorePackages
  const variables = variablesWith(packages)
  const read = readConfiguration(environment, readText, packages)
  const messages = [
    // Without their declarations, the variables of packages can't be distinguished from unknown ones.
    ...(E.isLeft(loaded) ? loaded.left : wrongNames(environment, variables, isShared)),
    ...(E.isLeft(read) ? read.left : []),
  ]
  return E.isRight(read) && messages.length === 0
    ? E.right({ configuration: read.right, environment, variables })
    : E.left(messages)
}

/** One message for each variable that is wrong or misspelled; never the value of a secret. */
export const configurationOfProcess = (): Promise<Either<readonly string[], Configured>> =>
  configurationOf(process.env, true)

/**
 * The same from a file of lines such as `STORE=mongodb`; what it doesn't set has its default. It is for the service
 * alone, so every unknown name is wrong.
 */
export const configurationOfFile = async (path: string): Promise<Either<readonly string[], Configured>> => {
  try {
    return await configurationOf(parseEnv(readText(path)), false)
  } catch (error) {
    return E.left([`it can’t be read: ${messageOf(error)}`])
  }
}
