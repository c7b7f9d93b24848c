/** Who may run which operation of the deployment: docs/roles.md, docs/behaviour/administration.md. */
import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { E, hasStanding, standingNeeded, TE, type Problem } from '@publishing-service/domain'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { rightsOf, type Principal } from './access/principals.js'
import { collections } from './collections.js'
import * as operations from './deployment-operations.js'
import type { DeploymentOperation } from './deployment-operation.js'
import { changeSettings } from './operations.js'
import { controllableStore, type ControllableStore } from './test-support/controllable-document-store.js'
import { createStage, forbidden, left, right, unavailable, type Stage } from './test-support/stage.js'

const all: readonly DeploymentOperation<never, unknown>[] = Object.values(operations)
const decoded: Problem = { _tag: 'BadRequest', reason: 'the input was decoded' }

const principal = (isOperator: boolean, ...roles: readonly ('admin' | 'editor')[]): Principal => ({
  id: 'somebody',
  user: 'Somebody',
  key: 'key',
  isOperator,
  roles: new Map(roles.length === 0 ? [] : [[1, roles]]),
})

describe('executeOnDeployment', () => {
  let documents: ControllableStore
  let stage: Stage
  beforeEach(async () => {
    documents = controllableStore(memoryDocumentStore(collections))
    stage = await createStage({ documents })
  })

  it('authorises by the standing of the caller, before the input is decoded', async () => {
    for (const caller of [
      principal(false),
      principal(false, 'editor'),
      principal(false, 'admin'),
      principal(true),
    ])
      for (const operation of all) {
        const request = { ...stage.as('reader'), identity: E.right(caller) }
        const failure = await left(stage.useCases.executeOnDeployment(operation, request, TE.left(decoded)))
        const isAllowed = hasStanding(rightsOf(caller), standingNeeded(operation.permission))
        expect(failure, operation.name).to.deep.equal(isAllowed ? decoded : forbidden)
      }
  })

  it('needs a token', async () => {
    const request = { ...stage.as('reader'), identity: null }
    for (const operation of all)
      expect(
        await left(stage.useCases.executeOnDeployment(operation, request, TE.left(decoded))),
      ).to.deep.equal({ _tag: 'Unauthorized' })
  })

  it('records what every operation changes that does not read', () => {
    for (const operation of all)
      expect('changed' in operation, operation.name).to.equal(operation.permission.action !== 'read')
  })

  it('fails if a change cannot be recorded', async () => {
    documents.fail('insert', 'audit')
    const request = { ...stage.as('admin'), requestId: 'request' }
    const changing = stage.run(changeSettings, request, { body: { title: 'Another' } })
    expect(await left(changing)).to.deep.equal(unavailable)
    await right(stage.run(changeSettings, request, { body: { title: 'Another' } }))
  })
})
