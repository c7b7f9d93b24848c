/** What is written of a person together, whenever a process is killed: docs/behaviour/accounts.md#links. */
import { userOf } from '@publishing-service/access'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { failWithAny } from '../attempt.js'
import { changeAccount, createKey, removeUser } from '../deployment-operations.js'
import { failingAfter } from '../test-support/failing-stores.js'
import { createAda, password, problemOf, runAs, runAsOperator, visit } from '../test-support/people.js'
import { createStage, right, type Process, type Stage, storedIn } from '../test-support/stage.js'

const picture = 'data:image/png;base64,iVBORw0KGgo='
const operator = { operator: true, roles: [] }

/** Runs steps in processes that are killed after each number of writes, until one is not; `check` follows each time. */
const killedAtEachWrite = async (
  start: () => Promise<{
    readonly stage: Stage
    readonly run: (process: Process) => Promise<unknown>
    readonly check: (isDone: boolean) => Promise<void>
  }>,
): Promise<void> => {
  for (const applies of [false, true])
    for (let writes = 0; ; writes += 1) {
      const { stage, run, check } = await start()
      const { documents } = failingAfter(stage, writes, applies)
      const problem = await problemOf(() => run(stage.anotherProcess({ documents })))
      await check(problem === null)
      if (problem === null) break
      expect(writes, JSON.stringify(problem)).to.be.lessThan(30)
    }
}

const ofAda = async () => {
  const stage = await createStage()
  const ada = await createAda(stage)
  const { user } = ada
  const read = async (collection: string, id = user) =>
    (await right(stage.documents.get(collection, 0, id)))?.value
  const entries = async (operation: string) =>
    (await storedIn(stage.documents, 'audit')).filter(({ value }) => value['operation'] === operation).length
  return { stage, ada, user, read, entries }
}

describe('a change of a person', () => {
  it('by a link uses it up with the name and the password, or leaves it as it was', () =>
    killedAtEachWrite(async () => {
      const { stage, ada, read, entries } = await ofAda()
      const token = await ada.link()
      return {
        stage,
        run: ({ signIn }) =>
          signIn.useLink(visit, { token, name: 'Countess', password }, 'https://x/dashboard', failWithAny),
        check: async (isDone) => {
          const isRenamed = userOf((await read('users')) ?? {}).name === 'Countess'
          const account = await read('accounts')
          const isOpen =
            (await problemOf(() => stage.useCases.signIn.readLink(visit, { token }, failWithAny))) === null
          expect([typeof account?.['password'] === 'string', !isOpen]).to.deep.equal([isRenamed, isRenamed])
          expect(await entries('useLink')).to.equal(isRenamed ? 1 : 0)
          if (isDone) expect(isRenamed).to.equal(true)
        },
      }
    }))

  it('by the person has the name and the picture, or neither', () =>
    killedAtEachWrite(async () => {
      const { stage, ada, read } = await ofAda()
      const session = await ada.setUp()
      return {
        stage,
        run: async (process) =>
          runAs({ ...stage, useCases: process }, session, changeAccount, {
            body: { name: 'Countess', picture },
            dashboard: null,
          }),
        check: async () => {
          const isRenamed = userOf((await read('users')) ?? {}).name === 'Countess'
          expect((await read('accounts'))?.['picture'] === picture).to.equal(isRenamed)
        },
      }
    }))

  it('by which they are deleted removes their account, keys and links, or nothing', () =>
    killedAtEachWrite(async () => {
      const { stage, ada, user, read } = await ofAda()
      await ada.setUp()
      const changes = { language: { before: null, after: 'de' } }
      const entry = { created: '', operation: 'changeUser', collection: 'users', object: user, changes }
      await right(stage.documents.insert('audit', 0, { id: 'entry', unique: null, value: entry }))
      const remove = { id: user, parameters: { confirm: 'true' } }
      const { api_key: key } = await runAsOperator(stage, createKey, { user, body: {} })
      const link = await ada.link('reset')
      return {
        stage,
        run: (process) => runAsOperator({ ...stage, useCases: process }, removeUser, remove),
        check: async () => {
          const isThere = (await read('users')) !== undefined
          expect([
            (await read('accounts')) !== undefined,
            (await read('keys', key)) !== undefined,
          ]).to.deep.equal([isThere, isThere])
          expect(
            (await problemOf(() => stage.useCases.signIn.readLink(visit, { token: link }, failWithAny))) ===
              null,
          ).to.equal(isThere)
          const found = await problemOf(() => stage.useCases.administerUsers.find(operator, user))
          expect(found === null).to.equal(isThere)
          // A repetition finishes it.
          await problemOf(() => runAsOperator(stage, removeUser, remove))
          expect((await read('audit', 'entry'))?.['changes']).to.deep.equal({ language: {} })
        },
      }
    }))
})
