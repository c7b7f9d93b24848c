/** Data directories that a program must reject. */
import { chmod, open } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createContainer, tokens } from '@publishing-service/composition-root'
import { configurationOf } from '../harness/start-test-service.js'
import { expectFailure, runNode, type Program } from './program.js'

/** The offset of SQLite’s user version in the file header, big-endian. */
const userVersionAt = 60

/** Creates the documents of an empty store. */
export const makeData = async (DATA_DIR: string): Promise<void> => {
  const container = createContainer(configurationOf({ DATA_DIR, LOG_LEVEL: 'error' }))
  await container.getAsync(tokens.documents)
  await container.unbindAllAsync()
}

/** Creates data with the version of a later release. */
export const makeDataOfLaterVersion = async (DATA_DIR: string): Promise<void> => {
  await makeData(DATA_DIR)
  const file = await open(join(DATA_DIR, 'documents.sqlite'), 'r+')
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(99)
  await file.write(bytes, 0, bytes.length, userVersionAt)
  await file.close()
}

/** Starts a program that begins a write and never ends it. It prints «locked» when it has begun. */
export const lockData = (DATA_DIR: string): Program => {
  const script = `const database = new (require('better-sqlite3'))(process.argv[1])
    database.exec('BEGIN IMMEDIATE')
    console.log('locked')
    setInterval(() => undefined, 60_000)`
  return runNode(['-e', script, '--', join(DATA_DIR, 'documents.sqlite')], {})
}

/** A user without permissions. */
const unprivilegedUser = 65_534

/**
 * Runs the function `name` of the module at this path in a directory without write permission, and checks its
 * message.
 */
export const expectUnwritable = async (
  directory: string,
  module: string,
  name: string,
  args: readonly string[],
): Promise<void> => {
  await chmod(directory, 0o555)
  // Root may write everywhere, so the process changes its user after the program is loaded.
  const script = `import(${JSON.stringify(pathToFileURL(module).href)}).then((loaded) => {
    if (process.getuid() === 0) process.setuid(${unprivilegedUser})
    return loaded[${JSON.stringify(name)}]()
  })`
  const { ended } = runNode(['-e', script, '--', module, ...args], {
    DATA_DIR: directory,
    LOG_LEVEL: 'error',
  })
  expectFailure(
    await ended,
    69,
    /DATA_DIR, \S+, can’t be used: this user may not write there: change its rights or its owner, or name another folder/,
  )
}
