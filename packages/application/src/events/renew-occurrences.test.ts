/** Lists of occurrences over time (docs/behaviour/content.md#occurrences). */
import { content } from '@publishing-service/domain'
import { isJsonObject, type JsonObject } from '@publishing-service/domain/json'
import type { DocumentStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { changeSettings } from '../access/settings.js'
import { readObject } from '../engine/read-one.js'
import { changeObject } from '../engine/write.js'
import { createStage, right, type Stage } from '../test-support/stage.js'
import { listOccurrences } from './list-occurrences.js'
import { changing } from '../test-support/memory-documents.js'

const day = 86_400_000

describe('renewal of occurrences', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await createStage()
  })

  const create = (more: JsonObject = {}) =>
    stage.create(content, {
      content_type: 'event',
      title: 'Event',
      urlname: stage.ids.uuid(),
      dtstart: '2026-01-01T10:00:00',
      rrule: { freq: 'MONTHLY' },
      ...more,
    })
  const startsFrom = async (period: string): Promise<readonly unknown[]> => {
    const parameters = { period, fields: 'dtstart' }
    const { items } = await right(stage.run(listOccurrences, stage.as('reader'), { parameters }))
    return items.flat()
  }
  const renew = (): Promise<number> => stage.useCases.renewOccurrences()

  /** Stores a rule that a write would reject. */
  const storeRule = async (id: string, change: (rule: JsonObject) => JsonObject): Promise<void> => {
    const stored = await right(stage.documents.get('content', 1, id))
    const rrule = stored?.value['rrule']
    if (stored === null || !isJsonObject(rrule)) return expect.fail('is not stored')
    const value = { ...stored.value, rrule: change(rrule) }
    await right(stage.documents.replace('content', 1, { id, version: 1, unique: null, value }))
  }

  it('extends lists that end at the horizon, without a change that clients see', async () => {
    const id = await create()
    const read = () => right(stage.run(readObject(content), stage.as('reader'), { id, parameters: {} }))
    const before = await read()
    expect(await startsFrom('2029-03-02_2029-05-02')).to.deep.equal([])
    expect(await renew()).to.equal(0)
    stage.clock.advance(200 * day)
    expect(await renew()).to.equal(1)
    expect(await renew()).to.equal(0)
    expect(await startsFrom('2029-03-02_2029-05-02')).to.deep.equal([
      '2029-04-01T10:00:00',
      '2029-05-01T10:00:00',
    ])
    expect(await read()).to.deep.equal(before)
  })

  it('lists events that were stored without occurrences', async () => {
    const id = await create({ rrule: null })
    const stored = await right(stage.documents.get('content', 1, id))
    if (stored === null) return expect.fail('is not stored')
    const { occurrences, occurrences_due, long_occurrences, ...value } = stored.value
    expect([occurrences, long_occurrences, occurrences_due]).to.deep.equal([
      ['2026-01-01T10:00:00 2026-01-01T10:00:00'],
      [],
      '9999-12-31T23:59:59',
    ])
    await right(stage.documents.replace('content', 1, { id, version: 1, unique: null, value }))
    expect(await startsFrom('2026-01-01_2026-02-01')).to.deep.equal([])
    expect(await renew()).to.equal(1)
    expect(await startsFrom('2026-01-01_2026-02-01')).to.deep.equal(['2026-01-01T10:00:00'])
  })

  it('continues after events whose rules cannot be searched to their end', async () => {
    const difficult = [
      // The next start is more seconds away than the library searches.
      { dtstart: '2024-02-29T23:59:58', rrule: { freq: 'SECONDLY', bymonth: [2], bymonthday: [29] } },
      // The search reaches the end of the calendar.
      { dtstart: '9999-12-30T10:00:00', rrule: { freq: 'DAILY' } },
    ]
    for (const times of difficult) await create(times)
    const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index)
    const times = { byhour: numbers(24), byminute: numbers(60), bysecond: [0, 30] }
    await storeRule(await create(), (rule) => ({ ...rule, freq: 'YEARLY', ...times }))
    await create()
    stage.clock.advance(200 * day)
    expect(await renew()).to.equal(difficult.length + 2)
    expect(await renew()).to.equal(0)
    expect(await startsFrom('2029-03-02_2029-05-02')).to.deep.equal([
      '2029-04-01T10:00:00',
      '2029-05-01T10:00:00',
    ])
  }).timeout(30_000)

  it('continues after an event with a defect, and reports it', async () => {
    await storeRule(await create(), () => ({ freq: 'YEARLY' }))
    await create()
    stage.clock.advance(200 * day)
    const failed = await renew().then(
      () => null,
      (error: unknown) => error,
    )
    expect(failed).to.be.instanceOf(TypeError)
    expect(await startsFrom('2029-03-02_2029-05-02')).to.deep.equal([
      '2029-04-01T10:00:00',
      '2029-05-01T10:00:00',
    ])
  })

  it('leaves complete lists and other content as they are', async () => {
    await create({ rrule: { freq: 'DAILY', count: 3 } })
    await stage.create(content, { content_type: 'article', title: 'Article', urlname: 'article' })
    stage.clock.advance(4000 * day)
    expect(await renew()).to.equal(0)
  })

  it('is not needed after a write that changes the times', async () => {
    const id = await create()
    const change = (body: JsonObject) =>
      right(stage.run(changeObject(content), stage.as('editor'), { id, body }))
    await change({ title: 'Renamed' })
    expect(await startsFrom('2026-01-01_2026-02-15')).to.have.length(2)
    await change({ rrule: null, rdates: ['2026-01-02T10:00:00'] })
    expect(await startsFrom('2026-01-01_2026-02-15')).to.deep.equal([
      '2026-01-01T10:00:00',
      '2026-01-02T10:00:00',
    ])
  })

  describe('after a change of the time zone', () => {
    // At 2026-03-08T02:30 the clocks of New York skip an hour.
    const daily = { dtstart: '2026-03-07T02:30:00', rrule: { freq: 'DAILY', count: 3 } }
    const setZone = (timezone: string) =>
      right(stage.run(changeSettings, stage.as('admin'), { body: { timezone } }))
    const renewWithoutWrites = (): Promise<number> => {
      const documents = changing(stage.documents, 'replace', 'content', () => expect.fail('writes'))
      return stage.anotherProcess({ documents }).renewOccurrences()
    }
    const week = '2026-03-05_2026-03-12'
    const inVienna = ['2026-03-07T02:30:00', '2026-03-08T02:30:00', '2026-03-09T02:30:00']
    const inNewYork = ['2026-03-07T02:30:00', '2026-03-09T02:30:00', '2026-03-10T02:30:00']

    it('lists the occurrences in the new zone, once', async () => {
      await create(daily)
      await create({ dtstart: '2020-03-07T02:30:00', rrule: null })
      expect(await startsFrom(week)).to.deep.equal(inVienna)
      await setZone('America/New_York')
      expect(await renew()).to.equal(1)
      expect(await startsFrom(week)).to.deep.equal(inNewYork)
      expect(await renewWithoutWrites()).to.equal(0)
    })

    it('lists them again where the zone changes meanwhile', async () => {
      const id = await create(daily)
      await setZone('America/New_York')
      let isChanged = false
      const get: DocumentStore['get'] = (collection, instance, name) => async () => {
        if (name === id && !isChanged) {
          isChanged = true
          stage.clock.advance(1)
          await setZone('Europe/Vienna')
        }
        return stage.documents.get(collection, instance, name)()
      }
      const another = stage.anotherProcess({ documents: { ...stage.documents, get } })
      expect(await another.renewOccurrences()).to.equal(1)
      expect(await startsFrom(week)).to.deep.equal(inNewYork)
      expect(await renew()).to.equal(1)
      expect(await startsFrom(week)).to.deep.equal(inVienna)
      expect(await renew()).to.equal(0)
    })

    it('is not needed after changes of other settings', async () => {
      await create(daily)
      await right(stage.run(changeSettings, stage.as('admin'), { body: { language: 'de' } }))
      expect(await renewWithoutWrites()).to.equal(0)
    })
  })
})
