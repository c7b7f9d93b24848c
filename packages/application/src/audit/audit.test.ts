/** A change and its entries in the audit log are one (docs/behaviour/administration.md#audit-log). */
import { content, file, section, tag } from '@publishing-service/domain'
import { E, TE } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { maxAppendedBytes, type DocumentStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { principalWith } from '../access/principals.js'
import type { AnyDeploymentOperation } from '../deployment-operation.js'
import {
  changeUser,
  createInstance,
  createKey,
  createUser,
  removeInstance,
  removeUser,
  replaceUserRoles,
  revokeKey,
} from '../deployment-operations.js'
import type { Outcome } from '../failure.js'
import {
  attachTag,
  changeObject,
  changeSettings,
  createObject,
  readSetting,
  removeObject,
  uploadFile,
} from '../operations.js'
import { bodyOf } from '../test-support/ascii.js'
import { changing, hasChange } from '../test-support/memory-documents.js'
import {
  article,
  aSection,
  createStage,
  left,
  right,
  unavailable,
  type Process,
  type Stage,
  storedIn,
} from '../test-support/stage.js'

describe('the audit entries of a change', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await createStage()
  })

  const recorded = () => ({ ...stage.as('admin'), requestId: 'request' })
  const entries = async (): Promise<readonly JsonObject[]> =>
    (await storedIn(stage.documents, 'audit')).map(({ value }) => value)
  const operationsIn = async (): Promise<readonly unknown[]> =>
    (await entries()).map(({ operation }) => operation)
  const over = (documents: DocumentStore): Process => stage.anotherProcess({ documents })

  /** Runs an operation of the deployment as an operator. */
  const administer = <Input, Output>(
    operation: AnyDeploymentOperation<Input, Output>,
    input: Input,
    { executeOnDeployment }: Process = stage.useCases,
  ): Outcome<Output> => {
    const rights = { operator: true, roles: [] }
    const identity = E.right(principalWith({ id: 'operator', user: 'Operator', key: 'key' }, rights))
    return executeOnDeployment(operation, { ...recorded(), identity }, TE.right(input))
  }

  it('are in the write that makes it, for every kind of change', async () => {
    const alone: string[] = []
    const watched = over({
      ...stage.documents,
      write: (...call) => {
        if (hasChange(call[1], 'any', 'audit')) alone.push('audit')
        return stage.documents.write(...call)
      },
    })
    const { run } = watched
    const as = recorded()
    const id = await right(run(createObject(content), as, { body: article('a', { state: 'published' }) }))
    await right(run(changeObject(content), as, { id, body: { title: 'Another' } }))
    const tagId = await right(run(createObject(tag), as, { body: { last_name_or_title: 'Wine' } }))
    const address = { tagId, predicate: 'describes', objectId: id } as const
    await right(run(attachTag, as, { ...address, body: {} }))
    const parent = await right(run(createObject(section), as, { body: aSection('s') }))
    await right(run(removeObject(section), as, { id: parent }))
    const image = await right(run(createObject(file), as, { body: { title: 'F', filename: 'f.txt' } }))
    const body = bodyOf('data')
    await right(run(uploadFile, as, { id: image, contentType: 'text/plain', length: undefined, body }))
    await right(run(removeObject(content), as, { id }))
    await right(run(changeSettings, as, { body: { title: 'Renamed' } }))
    const { id: user } = await right(administer(createUser, { body: { name: 'u' } }, watched))
    const roles = { items: [{ instance: 1, roles: ['reader'] }] }
    await right(administer(replaceUserRoles, { id: user, body: roles, parameters: {} }, watched))
    const { api_key: apiKey } = await right(administer(createKey, { user, body: {} }, watched))
    await right(administer(revokeKey, { user, apiKey, parameters: {} }, watched))
    await right(administer(removeUser, { id: user, parameters: {} }, watched))
    const made = { body: { title: 'Two', timezone: 'UTC' } }
    const { id: instance } = await right(administer(createInstance, made, watched))
    await right(administer(removeInstance, { instance, parameters: { title: 'Two' } }, watched))
    expect(alone).to.deep.equal([])
    expect(await operationsIn()).to.deep.equal([
      'createObject',
      'changeObject',
      'createObject',
      'attachTag',
      'createObject',
      'removeObject',
      'createObject',
      'uploadFile',
      'removeObject',
      'changeSettings',
      'createUser',
      'replaceUserRoles',
      'createKey',
      'revokeKey',
      // The user, and its role on the instance.
      'removeUser',
      'removeUser',
      'createInstance',
      'removeInstance',
    ])
  })

  it('retain no address of a user who was deleted', async () => {
    const body = { name: 'Ada', email: 'ada@example.org' }
    const { id } = await right(administer(createUser, { body }))
    const changed = { email: 'countess@example.org', disabled: true }
    await right(administer(changeUser, { id, body: changed, parameters: {} }))
    expect(JSON.stringify(await entries())).to.include('countess@example.org')
    await right(administer(removeUser, { id, parameters: {} }))
    const found = await entries()
    expect(JSON.stringify(found)).not.to.include('example.org')
    expect(found[1]?.['changes']).to.deep.equal({ email: {}, disabled: { before: false, after: true } })
    expect(found[2]?.['changes']).to.deep.equal({
      name: { before: 'Ada', after: '' },
      disabled: { before: true, after: false },
    })
  })

  it('are not there if the change is not, nor the change without them', async () => {
    const id = await stage.create(content, article('a'))
    const changes = [
      [
        'insert',
        (process: Process) => process.run(createObject(content), recorded(), { body: article('b') }),
      ],
      [
        'replace',
        (process: Process) => process.run(changeObject(content), recorded(), { id, body: { title: 'X' } }),
      ],
      ['remove', (process: Process) => process.run(removeObject(content), recorded(), { id })],
      ['insert', (process: Process) => administer(createUser, { body: { name: 'u' } }, process)],
    ] as const
    for (const [kind, change] of changes) {
      const fails = () => TE.left(unavailable)
      const failing = changing(changing(stage.documents, kind, 'content', fails), kind, 'users', fails)
      expect(await left(change(over(failing)))).to.deep.equal(unavailable)
    }
    expect(await entries()).to.deep.equal([])
    expect((await right(stage.documents.get('content', 1, id)))?.value).to.include({ title: 'An article' })
    expect(await stage.useCases.administerUsers.list()).to.deep.equal([])
  })

  it('are there once if the change is made after conflicts', async () => {
    const id = await stage.create(content, article('a'))
    let conflicts = 3
    const busy = changing(stage.documents, 'replace', 'content', (...call) =>
      (conflicts -= 1) >= 0
        ? TE.left({ _tag: 'VersionConflict', change: 0 })
        : stage.documents.write(...call),
    )
    await right(over(busy).run(changeObject(content), recorded(), { id, body: { title: 'X' } }))
    expect(await operationsIn()).to.deep.equal(['changeObject'])
  })

  it('are there if the request changed nothing', async () => {
    const id = await stage.create(content, article('a', { title: 'Same' }))
    await right(stage.run(changeObject(content), recorded(), { id, body: { title: 'Same' } }))
    const { id: user } = await right(administer(createUser, { body: { name: 'u' } }))
    await right(administer(changeUser, { id: user, body: { name: 'u' }, parameters: {} }))
    expect(await entries()).to.have.lengthOf(3)
    expect((await entries())[0]).to.include({ operation: 'changeObject', title: 'Same', changes: null })
  })

  it('lack what has changed if that is longer than a store appends', async () => {
    const { run } = stage.useCases
    const long = { title: 'Long', ignored: 'x'.repeat(maxAppendedBytes) }
    await right(run(changeSettings, recorded(), { body: long }))
    expect(await right(run(readSetting, stage.as('admin'), { name: 'title' }))).to.equal('Long')
    const [entry] = await entries()
    expect(entry).to.include({ operation: 'changeSettings', changes: null })
  })

  it('are added after the change where they are too many for one write', async () => {
    const count = 2600
    for (let number = 2; number <= count; number += 1)
      await right(stage.useCases.administerInstances.create({ title: 'T', timezone: 'UTC' }))
    let largest = 0
    const watched = over({
      ...stage.documents,
      write: (instance, made, appended) => {
        const values = appended.map(({ document }) => JSON.stringify(document.value))
        largest = Math.max(largest, values.join('').length)
        return stage.documents.write(instance, made, appended)
      },
    })
    const items = Array.from({ length: count }, (_, index) => ({ instance: index + 1, roles: ['reader'] }))
    const body = { name: 'of all', roles: items }
    await right(administer(createUser, { body }, watched))
    expect(largest).to.be.within(maxAppendedBytes / 2, maxAppendedBytes)
    expect(await right(stage.documents.count('audit', 0, { where: [] }, 10_000))).to.equal(count + 1)
  })

  describe('that are added alone, and that the store does not accept', () => {
    const body = { title: 'The Daily Test' }

    it('are logged whole and written later, once', async () => {
      let isFailing = true
      let isApplied = false
      const failing = changing(stage.documents, 'insert', 'audit', (...call) => async () => {
        if (!isFailing) return stage.documents.write(...call)()
        if (isApplied) await stage.documents.write(...call)()
        return E.left(unavailable)
      })
      const { run, audit } = over(failing)
      for (const applied of [false, true]) {
        isApplied = applied
        await right(run(changeSettings, recorded(), { body }))
      }
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
      isApplied = false
      expect(await audit.writeWaiting()).to.equal(0)
      isFailing = false
      expect(await audit.writeWaiting()).to.equal(2)
      expect(await audit.writeWaiting()).to.equal(0)
      expect(await entries()).to.have.lengthOf(2)
    })

    it('fail no request where the store throws', async () => {
      const broken = changing(
        stage.documents,
        'insert',
        'audit',
        () => () => Promise.reject(new Error('a bug')),
      )
      await right(over(broken).run(changeSettings, recorded(), { body }))
      expect(stage.log.entries().at(-1)?.fields['reason']).to.match(/a bug/)
    })
  })
})
