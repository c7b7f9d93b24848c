/** How the secret of the first key is shown: on a terminal, or in a file that only this user can read, as logs are read by others. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { IssuedKey } from '@publishing-service/application'
import type { Log } from '@publishing-service/ports'
import type { Configuration } from './configuration.js'
import { messageOf } from './thrown-errors.js'

type ShownSecret = {
  readonly note: readonly string[]
  readonly words: string
  /** As a shell reads it: the secret, a variable or a command; null if it is lost. */
  readonly inShell: string | null
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Writes a file that only this user can read. */
const writePrivately = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  // An existing file would keep its permissions.
  await rm(path, { force: true })
  await writeFile(path, text, { mode: 0o600, flag: 'wx' })
}

type Folder = Pick<Configuration, 'DATA_DIR'>

/** Where secrets of a first start without a terminal are, until somebody deletes them. */
export const setUpLinkFile = ({ DATA_DIR }: Folder): string => resolve(DATA_DIR, 'set-up-link.txt')
export const firstKeyFile = ({ DATA_DIR }: Folder): string => resolve(DATA_DIR, 'first-key.env')

/** The lines about the link of the first person: the address of the link on a terminal, or the file with it. */
export const showSetUpLink = async (
  address: string,
  folder: Folder,
  log: Log,
  isTerminal: boolean,
): Promise<readonly string[]> => {
  if (isTerminal) return [`  ${address}`]
  const path = setUpLinkFile(folder)
  try {
    await writePrivately(path, `${address}\n`)
    log.write('warn', 'set-up link written', { path })
    return [`  in ${path}`]
  } catch (error) {
    const reason = messageOf(error)
    log.write('error', 'set-up link not written', { path, reason })
    return [`  lost: it could not be written to ${path}: ${reason}. Sign in with the API key.`]
  }
}

/** A secret that was generated is printed on a terminal; else it is written to a file, whose path is logged. */
export const showSecret = async (
  { api_key: key, api_secret: secret }: IssuedKey,
  configuration: Configuration,
  log: Log,
  isTerminal: boolean,
): Promise<ShownSecret> => {
  if (configuration.BOOTSTRAP_API_SECRET !== null)
    return { note: [], words: 'as set in BOOTSTRAP_API_SECRET', inShell: '$BOOTSTRAP_API_SECRET' }
  if (isTerminal)
    return { note: ['Store the secret now: it is not shown again.'], words: secret, inShell: secret }
  const path = firstKeyFile(configuration)
  try {
    await writePrivately(path, `API_KEY=${key}\nAPI_SECRET=${secret}\n`)
    // A warning, so that it is logged unless LOG_LEVEL is error.
    log.write('warn', 'first key written', { path })
    return {
      note: [
        'The output is not a terminal, so the secret is in a file that only this user can read. Store the secret',
        'elsewhere, and delete the file.',
      ],
      words: `in ${path}`,
      inShell: `$(sed -n s/^API_SECRET=//p ${quoted(path)})`,
    }
  } catch (error) {
    const reason = messageOf(error)
    log.write('error', 'first key not written', { path, reason })
    return {
      note: [
        `The output is not a terminal, and the secret could not be written to ${path}: ${reason}.`,
        'Create another key: npm run --silent admin -- key create --instance 1 --role admin',
      ],
      words: 'lost',
      inShell: null,
    }
  }
}
