/** Changes of rights and keys that are made at once, in every order and with crashes (docs/behaviour/administration.md#confirmation). */
import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { E } from '@publishing-service/domain/fp'
import type { DocumentStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { unrecorded } from '../recording.js'
import { collections } from '../collections.js'
import { attempt, orThrow } from '../attempt.js'
import { everyInterleaving } from '../test-support/every-interleaving.js'
import { createStage, right, type Process, type Stage } from '../test-support/stage.js'

const operator = { operator: true, roles: [] }

type Party = { readonly user: string; readonly key: string }
type Change = (process: Process, party: Party) => Promise<unknown>

/** Every way of taking the last admin, or the last operator, away. */
const changes: Readonly<Record<string, Change>> = {
  'a revoked key': ({ administerKeys }, { key }) => orThrow(administerKeys.revoke(key)),
  'a removed role': ({ administerUsers }, { user }) =>
    administerUsers.change(
      operator,
      user,
      (before) => ({ ...before, roles: [], operator: false }),
      false,
      unrecorded.write,
    ),
  'a deleted user': ({ administerUsers }, { user }) =>
    administerUsers.remove(operator, user, false, unrecorded.write),
}

describe('changes that take the last admin and the last operator away together', () => {
  for (const [one, first] of Object.entries(changes))
    for (const [other, second] of Object.entries(changes))
      it(`${one} and ${other}: one is made and the other refused, in two processes`, async () => {
        await everyInterleaving(async () => {
          const store: DocumentStore = memoryDocumentStore(collections)
          const stage: Stage = await createStage({ documents: store })
          const { administerKeys, administerUsers } = stage.useCases
          for (let count = 0; count < 2; count += 1)
            await right(administerKeys.create({ instance: 1, role: 'admin', operator: true }))
          const parties = (await administerUsers.list()).map(({ user, api_keys: [key = ''] }) => ({
            user,
            key,
          }))
          const run = (change: Change, index: number) => async (documents: DocumentStore) => {
            const party = parties[index]
            if (party === undefined) throw new Error('nobody')
            const clock = { ...stage.clock, turn: async () => undefined }
            return attempt(() => change(stage.anotherProcess({ documents, clock }), party))
          }
          return {
            store,
            collections: ['keys', 'users', 'rights_changes'],
            crashes: 1,
            turn: stage.clock.turn,
            processes: [run(first, 0), run(second, 1)],
            verify: async (results) => {
              const usable = (await right(administerKeys.list())).filter(
                ({ revoked, roles, operator: isOperator }) =>
                  revoked === null && roles.length > 0 && isOperator,
              )
              expect(usable.length, JSON.stringify(results)).to.be.at.least(1)
              const made = results.filter((result) => result !== null && E.isRight(result)).length
              if (!results.includes(null)) expect(made).to.equal(1)
              for (const result of results)
                if (result !== null && E.isLeft(result))
                  expect(JSON.stringify(result.left))
                    .to.include('no admin would be left')
                    .and.include('operator')
            },
          }
        }, 40)
      })
})
