/** Folders and short cuts for this package's tests. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'mocha'
import { expect } from 'chai'
import { E, type TaskEither } from '@publishing-service/domain/fp'

export { all, valueOf as right } from '@publishing-service/conformance'

/** Creates folders for the tests of the suite, and removes them after each test. */
export const temporaryFolders = (): (() => Promise<string>) => {
  const made: string[] = []
  afterEach(async () => {
    for (const folder of made.splice(0)) await rm(folder, { recursive: true, force: true })
  })
  return async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sqlite-document-store-'))
    made.push(folder)
    return folder
  }
}

/** The failure as one text: its tag, and the reason if it has one. */
export const failure = async (
  task: TaskEither<{ readonly _tag: string; readonly reason?: string }, unknown>,
): Promise<string> => {
  const outcome = await task()
  return E.isLeft(outcome)
    ? `${outcome.left._tag} ${outcome.left.reason ?? ''}`
    : expect.fail('expected a failure')
}

/** The message with which a promise rejects. */
export const rejection = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => expect.fail('expected a rejection'),
    (error: unknown) => String(error),
  )
