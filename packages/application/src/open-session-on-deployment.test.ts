/** Who may run which operation of the deployment: docs/roles.md, docs/behaviour/administration.md. */
import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { E } from '@publishing-service/domain/fp'
import { type DeploymentOperationAccess, hasStanding, standingNeeded } from '@publishing-service/access'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { principalWith, type Principal } from './access/principals.js'
import { attempt } from './attempt.js'
import { collections } from './collections.js'
import * as operations from './deployment-operations.js'
import type { OperationRequest } from './operation-request.js'
import { controllableStore, type ControllableStore } from './test-support/controllable-document-store.js'
import { createStage, forbidden, type Stage } from './test-support/stage.js'

const all: readonly DeploymentOperationAccess[] = Object.values(operations)

const principal = (isOperator: boolean, ...roles: readonly ('admin' | 'editor')[]): Principal =>
  principalWith(
    { id: 'somebody', user: 'Somebody', key: 'key' },
    { operator: isOperator, roles: roles.length === 0 ? [] : [{ instance: 1, roles }] },
  )

describe('a session on the deployment', () => {
  let documents: ControllableStore
  let stage: Stage
  beforeEach(async () => {
    documents = controllableStore(memoryDocumentStore(collections))
    stage = await createStage({ documents })
  })

  const open = ({ name, permission }: DeploymentOperationAccess, request: OperationRequest) =>
    attempt(() => stage.useCases.sessions.open({ name, permission, run: async () => null }, request))

  it('is opened by the standing of the caller', async () => {
    for (const caller of [
      principal(false),
      principal(false, 'editor'),
      principal(false, 'admin'),
      principal(true),
    ])
      for (const operation of all) {
        const request = { ...stage.as('reader'), identity: E.right(caller) }
        const opened = await open(operation, request)
        const isAllowed = hasStanding(caller.rights, standingNeeded(operation.permission))
        expect(E.isLeft(opened) ? opened.left : null, operation.name).to.deep.equal(
          isAllowed ? null : forbidden,
        )
      }
  })

  it('needs a token', async () => {
    const request = { ...stage.as('reader'), identity: null }
    for (const operation of all)
      expect(await open(operation, request)).to.deep.equal(E.left({ _tag: 'Unauthorized' }))
  })

  it('records what every operation changes that does not read', () => {
    for (const operation of all)
      expect('changed' in operation, operation.name).to.equal(operation.permission.action !== 'read')
  })
})
