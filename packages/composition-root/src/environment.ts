/** The configuration that this process was started with, or that a file contains. */
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { E, type Either } from '@publishing-service/domain/fp'
import type { Configuration } from './configuration.js'
import type { Variable } from './configuration-table.js'
import { readVariables, variablesWith, type Environment, type WrongVariable } from './read-configuration.js'
import { loadStorePackages, noStorePackages } from './stores/store-packages.js'
import { wrongNames } from './variable-names.js'
import { messageOf } from './thrown-errors.js'

/** A configuration, and what was set for it. */
export type Configured = {
  readonly configuration: Configuration
  readonly environment: Environment
  /** All variables that are read, those of packages included. */
  readonly variables: Readonly<Record<string, Variable<unknown>>>
}

const readText = (path: string): string => readFileSync(path, 'utf8')

/** An environment as it was read, right or wrong. */
export type ReadEnvironment = Configured & {
  readonly wrong: readonly WrongVariable[]
}

/** `isShared` says whether other programs use the environment too. */
const readEnvironment = async (environment: Environment, isShared: boolean): Promise<ReadEnvironment> => {
  const loaded = await loadStorePackages(environment)
  const packages = E.isRight(loaded) ? loaded.right : noStorePackages
  const variables = variablesWith(packages)
  const { configuration, wrong } = readVariables(environment, readText, packages)
  const choosing = ['STORE', 'BLOBS']
  return {
    configuration,
    environment,
    variables,
    wrong: [
      // Without their declarations, the variables of packages can't be distinguished from unknown ones.
      ...(E.isLeft(loaded)
        ? loaded.left.map((message) => ({ names: choosing, message }))
        : wrongNames(environment, variables, isShared).map((message) => ({ names: [], message }))),
      ...wrong,
    ],
  }
}

const configurationOf = async (
  environment: Environment,
  isShared: boolean,
): Promise<Either<readonly string[], Configured>> => {
  const { wrong, ...read } = await readEnvironment(environment, isShared)
  return wrong.length === 0 ? E.right(read) : E.left(wrong.map(({ message }) => message))
}

/** The environment of this process with all that is wrong with it, which then has defaults. */
export const environmentOfProcess = (): Promise<ReadEnvironment> => readEnvironment(process.env, true)

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
