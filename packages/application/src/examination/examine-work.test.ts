/** What of the work of the service itself is late, as `admin doctor` reads it from the store. */
import { content } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import type { InstanceRequest } from '../operation-request.js'
import { changeWebhook, createExport, createObject, createWebhook } from '../operations.js'
import { leaseTime } from '../lease.js'
import { accepted, recordingSender, type RecordingSender } from '../test-support/recording-sender.js'
import { article, createStage, right, type Stage } from '../test-support/stage.js'
import { userCommands } from '../test-support/user-commands.js'
import type { ExaminedWork } from './examine-work.js'

describe('the examination of the work', () => {
  let stage: Stage
  let sender: RecordingSender
  let admin: InstanceRequest
  beforeEach(async () => {
    sender = recordingSender()
    stage = await createStage({ webhookSender: sender })
    const users = userCommands(stage)
    const { user } = await right(users.create('Ada'))
    await right(users.grant(user, 1, 'admin'))
    const { identity, ...request } = stage.as('admin')
    if (identity === null || E.isLeft(identity)) throw new Error('nobody')
    admin = { ...request, identity: E.right({ ...identity.right, id: user, user: 'Ada' }), requestId: 'r' }
  })

  /** Examines while somebody does something, and the time passes for which it waits. */
  const examine = async (
    meanwhile: () => Promise<unknown> = async () => undefined,
  ): Promise<ExaminedWork> => {
    let isDone = false
    const examining = stage.useCases.examineWork().finally(() => {
      isDone = true
    })
    for (let turn = 0; turn < 50; turn += 1) await stage.clock.turn()
    await meanwhile()
    while (!isDone) {
      stage.clock.advance(leaseTime)
      await stage.clock.turn()
    }
    return examining
  }
  const publish = () =>
    right(stage.run(createObject(content), admin, { body: { ...article('one'), state: 'published' } }))
  const deliver = async (): Promise<void> => {
    for (let turn = 0; turn < 30; turn += 1) {
      await stage.useCases.webhookWorker.step()
      await stage.clock.turn()
    }
  }

  it('finds nothing where there is nothing', async () => {
    expect(await examine()).to.deep.equal({
      hooks: [],
      switchedOff: 0,
      jobs: [
        { kind: 'imports', open: 0, isWorkedOn: true },
        { kind: 'exports', open: 0, isWorkedOn: true },
      ],
      waitingMail: 0,
    })
  })

  it('finds since when a web hook waits: for a delivery to be made, then for it to arrive', async () => {
    const url = 'https://receiver.example.org/hook'
    const { id } = await right(stage.run(createWebhook, admin, { body: { url } }))
    const hookNow = async () => (await examine()).hooks
    expect(await hookNow()).to.deep.equal([{ id, instance: 1, failingSince: null, waitingSince: null }])
    const changed = stage.clock.now()
    await publish()
    const waiting = { id, instance: 1, failingSince: null, waitingSince: changed }
    expect(await hookNow()).to.deep.equal([waiting])
    sender.answer = async () => ({ status: 500, failure: 'status' })
    const attempted = stage.clock.now()
    await deliver()
    expect(await hookNow()).to.deep.equal([{ ...waiting, failingSince: attempted }])
    sender.answer = () => accepted
    stage.clock.advance(86_400_000)
    await deliver()
    expect(await hookNow()).to.deep.equal([{ id, instance: 1, failingSince: null, waitingSince: null }])
    await right(stage.run(changeWebhook, admin, { id, body: { active: false } }))
    expect(await examine()).to.deep.include({ hooks: [], switchedOff: 0 })
  })

  it('counts web hooks that were switched off because they failed', async () => {
    const url = 'https://receiver.example.org/hook'
    await right(stage.run(createWebhook, admin, { body: { url } }))
    sender.answer = async () => ({ status: 410, failure: 'gone' })
    await publish()
    await deliver()
    expect(await examine()).to.deep.include({ hooks: [], switchedOff: 1 })
  })

  it('finds jobs, and whether a process works on them', async () => {
    await right(stage.run(createExport, admin, { body: {} }))
    expect((await examine()).jobs[1]).to.deep.equal({ kind: 'exports', open: 1, isWorkedOn: false })
    let finish = (): void => undefined
    const finished = new Promise<void>((resolve) => {
      finish = resolve
    })
    const worker = stage.useCases.createExportWorker(async () => ({
      add: async (_name, data) => {
        await finished
        for await (const _piece of data);
      },
      complete: async () => 1,
      read: async function* () {
        yield new Uint8Array(1)
      },
      remove: async () => undefined,
    }))
    const running = worker.queue.step()
    for (let turn = 0; turn < 50; turn += 1) await stage.clock.turn()
    const renew = async (): Promise<void> => {
      stage.clock.advance(leaseTime / 2)
      await worker.queue.renew()
    }
    expect((await examine(renew)).jobs[1]).to.deep.equal({ kind: 'exports', open: 1, isWorkedOn: true })
    finish()
    await running
    // The time that has passed has interrupted it.
    await worker.queue.step()
    expect((await examine()).jobs[1]).to.deep.equal({ kind: 'exports', open: 0, isWorkedOn: true })
  })
})
