/** Who may run which operation of the deployment: docs/roles.md, docs/behaviour/administration.md. */
import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { E, TE } from '@publishing-service/domain/fp'
import {
  hasStanding,
  standingNeeded,
  type DeploymentOperationAccess,
} from '@publishing-service/domain/access'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { principalWith, type Principal } from './access/principals.js'
import { attempt } from './attempt.js'
import { collections } from './collections.js'
import * as operations from './deployment-operations.js'
import { changeSettings, listInstanceAudit, readSetting } from './operations.js'
import { controllableStore, type ControllableStore } from './test-support/controllable-document-store.js'
import { createStage, forbidden, right, unavailable, type Stage } from './test-support/stage.js'

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

  it('is opened by the standing of the caller', async () => {
    for (const caller of [
      principal(false),
      principal(false, 'editor'),
      principal(false, 'admin'),
      principal(true),
    ])
      for (const operation of all) {
        const request = { ...stage.as('reader'), identity: E.right(caller) }
        const opened = await attempt(async () =>
          stage.useCases.sessions.openOnDeployment(operation.permission, request),
        )
        const isAllowed = hasStanding(caller.rights, standingNeeded(operation.permission))
        expect(E.isLeft(opened) ? opened.left : null, operation.name).to.deep.equal(
          isAllowed ? null : forbidden,
        )
      }
  })

  it('needs a token', async () => {
    const request = { ...stage.as('reader'), identity: null }
    for (const operation of all)
      expect(
        await attempt(async () => stage.useCases.sessions.openOnDeployment(operation.permission, request)),
      ).to.deep.equal(E.left({ _tag: 'Unauthorized' }))
  })

  it('records what every operation changes that does not read', () => {
    for (const operation of all)
      expect('changed' in operation, operation.name).to.equal(operation.permission.action !== 'read')
  })

  describe('a change whose audit entry the store does not accept', () => {
    const body = { title: 'Another' }
    const asCaller = () => ({ ...stage.as('admin'), requestId: 'request' })
    const entries = async (): Promise<readonly unknown[]> => {
      const listed = await right(
        stage.run(listInstanceAudit, stage.as('admin'), { parameters: { fields: 'operation' } }),
      )
      return listed.items
    }

    it('is made on an instance, its entry is logged whole and written later, once', async () => {
      for (const applied of [false, true]) {
        documents.fail('insert', 'audit', applied)
        await right(stage.run(changeSettings, asCaller(), { body }))
      }
      expect(await right(stage.run(readSetting, stage.as('admin'), { name: 'title' }))).to.equal('Another')
      const [line, ...others] = stage.log.entries().filter(({ level }) => level === 'error')
      expect(others).to.have.lengthOf(1)
      expect(line?.event).to.equal('audit entry not written')
      expect(line?.fields).to.include({
        operation: 'changeSettings',
        instance: 1,
        user: 'admin',
        address: '192.0.2.1',
        request: 'request',
        changes: JSON.stringify(body),
        reason: unavailable.reason,
      })
      expect(await entries()).to.have.lengthOf(1)
      documents.fail('insert', 'audit')
      expect(await stage.useCases.audit.writeWaiting()).to.equal(0)
      expect(await stage.useCases.audit.writeWaiting()).to.equal(2)
      expect(await stage.useCases.audit.writeWaiting()).to.equal(0)
      expect(await entries()).to.have.lengthOf(2)
    })

    it('is made on the deployment', async () => {
      documents.fail('insert', 'audit')
      const request = { ...asCaller(), identity: E.right(principal(true)) }
      const input = TE.right({ body: { name: 'a user' } })
      await right(stage.useCases.executeOnDeployment(operations.createUser, request, input))
      expect(await stage.useCases.audit.writeWaiting()).to.equal(1)
    })

    it('is made where the store throws', async () => {
      stage = await createStage({
        documents: {
          ...documents,
          insert: (collection, instance, document) =>
            collection === 'audit'
              ? () => Promise.reject(new Error('a bug'))
              : documents.insert(collection, instance, document),
        },
      })
      await right(stage.run(changeSettings, asCaller(), { body }))
      expect(stage.log.entries().at(-1)?.fields['reason']).to.match(/a bug/)
    })
  })
})
