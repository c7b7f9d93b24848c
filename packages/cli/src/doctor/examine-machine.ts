/** Facts of this machine: permissions, disks and limits. */
import { access, constants, readFile, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import {
  documentsFile,
  firstKeyFile,
  prepareDataDirectory,
  setUpLinkFile,
  storageReserve,
  usesDataDirectory,
  type Configuration,
  type ReadEnvironment,
} from '@publishing-service/composition-root'
import { warning, type Finding } from './finding.js'
import type { DataFolder, SecretFile, TemporaryFolder } from './judge-machine.js'

/** What is at a path; null if there is nothing, or its folder cannot be entered. */
const found = (path: string) => stat(path).catch(() => null)

const permissions = 0o777

/** Windows has no permissions of this kind. */
const hasModes = process.platform !== 'win32'

/** The files that variables of secrets name, as far as they exist. */
export const secretFiles = async ({
  environment,
  variables,
}: ReadEnvironment): Promise<readonly SecretFile[]> => {
  const named = Object.entries(variables).flatMap(([name, { secret }]): readonly [string, string][] => {
    const path = secret === true ? environment[`${name}_FILE`] : undefined
    return path === undefined ? [] : [[`${name}_FILE`, path]]
  })
  const files = await Promise.all(
    named.map(async ([variable, path]) => ({ variable, path, at: await found(path) })),
  )
  return files.flatMap(({ variable, path, at }) =>
    at === null || !hasModes ? [] : [{ variable, path, mode: at.mode & permissions }],
  )
}

/** Secrets that a first start has written, because it had no terminal. */
export const leftSecrets = async ({ configuration }: ReadEnvironment): Promise<readonly Finding[]> => {
  const paths = [firstKeyFile(configuration), setUpLinkFile(configuration)]
  const left = await Promise.all(paths.map(async (path) => ((await found(path)) === null ? [] : [path])))
  return left
    .flat()
    .map((path) =>
      warning(`${path} has a secret of the first start`, 'store it elsewhere, and delete the file'),
    )
}

/** The folder of the stores, or why there is none. Rejects with an Error if it cannot be used. Creates nothing. */
export const dataFolder = async ({ configuration }: ReadEnvironment): Promise<DataFolder | string> => {
  const path = resolve(configuration.DATA_DIR)
  if (!usesDataDirectory(configuration)) return 'no store is in a folder'
  const at = await found(path)
  if (at === null) return `${path} does not exist yet: the first start creates it`
  // The folder exists, so this creates none.
  await prepareDataDirectory(configuration)
  const { type, bavail, bsize } = await statfs(path)
  const documents =
    configuration.documentStore.medium === 'folder' ? await found(documentsFile(configuration)) : null
  return {
    path,
    mode: hasModes ? at.mode & permissions : null,
    fileSystem: type,
    freeBytes: bavail * bsize,
    reserve: storageReserve(configuration),
    documentBytes: documents?.size ?? null,
  }
}

/** How many files a process may open; null if the system does not say that. Node raises it to the most that is allowed. */
export const openFiles = async (): Promise<number | null> => {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  const limit = /^Max open files +(\S+)/m.exec(limits)?.[1]
  if (limit === undefined) return null
  return limit === 'unlimited' ? Infinity : Number(limit)
}

/** Where imports and exports have their files while they run. */
export const temporaryFolder = async ({
  APPLICATION_LIMIT: largest,
}: Pick<Configuration, 'APPLICATION_LIMIT'>): Promise<TemporaryFolder> => {
  const path = tmpdir()
  const isWritable = await access(path, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  const { bavail, bsize } = await statfs(path)
  return { path, isWritable, freeBytes: bavail * bsize, largest }
}
