/**
 * Where the secret of a key is written that the first start generates: to the terminal. Without a terminal the output is in
 * a log that others read, so the key is written to a file that only this user can read.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { IssuedKey } from '@publishing-service/application'
import type { Log } from '@publishing-service/ports'
import type { Configuration } from './configuration.js'
import { messageOf } from './error-messages.js'

/** The file, in a folder of data. */
const firstKeyFile = (folder: string): string => resolve(join(folder, 'first-key.env'))

const write = async (
  path: string,
  folder: string,
  { api_key: key, api_secret: secret }: IssuedKey,
): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // An existing file would keep its permissions.
  await rm(path, { force: true })
  await writeFile(path, `API_KEY=${key}\nAPI_SECRET=${secret}\n`, { mode: 0o600, flag: 'wx' })
}

type FirstKeyParts = {
  /** The key that this start created, or null. */
  readonly issued: IssuedKey | null
  readonly configuration: Configuration
  readonly log: Log
  /** Whether the standard output is a terminal. */
  readonly isTerminal: boolean
}

/** Where the secret of a first key is shown or stored; it is lost where the file can't be written. */
export type SecretPlace =
  | { readonly _tag: 'Terminal' }
  | { readonly _tag: 'File'; readonly path: string }
  | { readonly _tag: 'Lost'; readonly path: string; readonly reason: string }

/** Without a terminal, writes a generated key to the file and logs the path. */
export const storeFirstKey = async ({
  issued,
  configuration,
  log,
  isTerminal,
}: FirstKeyParts): Promise<SecretPlace> => {
  if (issued === null || configuration.BOOTSTRAP_API_SECRET !== null || isTerminal)
    return { _tag: 'Terminal' }
  const path = firstKeyFile(configuration.DATA_DIR)
  try {
    await write(path, resolve(configuration.DATA_DIR), issued)
    // A warning, so that it is logged unless LOG_LEVEL is error.
    log.write('warn', 'first key written', { path })
    return { _tag: 'File', path }
  } catch (error) {
    const reason = messageOf(error)
    log.write('error', 'first key not written', { path, reason })
    return { _tag: 'Lost', path, reason }
  }
}
