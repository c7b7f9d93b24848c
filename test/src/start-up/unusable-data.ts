/** Data directories that a program must reject. */
import { chmod, open } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createContainer, tokens } from '@publishing-service/composition-root'
import { configurationOf } from '../harness/start-test-service.js'
import { compiledModule, expectFailure, runNode } from './program.js'

/** The offset of SQLite’s user version in the file header, big-endian. */
const userVersionAt = 60

/** Creates the documents of an empty store. */
export const makeData = async (DATA_DIR: string): Promise<void> => {
  const container = createContainer(configurationOf({ DATA_DIR, LOG_LEVEL: 'error' }))
  await container.getAsync(tokens.documents)
  await container.unbindAll()
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

/** A user without permissions. */
const unprivilegedUser = 65_534

const serviceModule = compiledModule('composition-root', 'main.js')

/** Starts the service in a directory without write permission, and checks its message. */
export const expectUnwritable = async (directory: string): Promise<void> => {
  await chmod(directory, 0o555)
  // Root may write everywhere, so the process changes its user after the program is loaded.
  const script = `import(${JSON.stringify(pathToFileURL(serviceModule).href)}).then(({ main }) => {
    if (process.getuid() === 0) process.setuid(${unprivilegedUser})
    return main()
  })`
  const { ended } = runNode(['-e', script, '--', serviceModule], { DATA_DIR: directory, LOG_LEVEL: 'error' })
  expectFailure(
    await ended,
    69,
    /DATA_DIR, \S+, can’t be used: this user may not write there: change its rights or its owner, or name another folder/,
  )
}
