/** Date-times in the hour that is repeated when clocks are put back (docs/behaviour/time.md#repeated-hour). */
import { content, location, type Resource } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { article, createStage, right, start, type Stage } from '../test-support/stage.js'
import { listObjects } from './list.js'
import { readObject } from './read-one.js'
import { changeObject, createObject, replaceObject } from './write.js'

describe('a date-time in a repeated hour', () => {
  let stage: Stage
  let moment: number
  beforeEach(async () => {
    stage = await createStage()
    moment = start
    const listed = { number: 2, title: 'B', timezone: 'Europe/Vienna', directory_addon: true }
    await right(stage.useCases.administerInstances.create(listed))
  })

  const at = (instant: string): void => {
    stage.clock.advance(Date.parse(instant) - moment)
    moment = Date.parse(instant)
  }
  const create = (resource: Resource, body: JsonObject): Promise<string> =>
    right(stage.run(createObject(resource), stage.as('editor', 2), { body }))
  const live = async (): Promise<number> => {
    const parameters = { state: 'live' }
    return (await right(stage.run(listObjects(content), stage.as('reader', 2), { parameters }))).items.length
  }
  const read = (resource: Resource, id: string, role: 'editor' | 'public_user' = 'editor') =>
    right(stage.run(readObject(resource), stage.as(role, 2), { id, parameters: {} }))

  it('is the moment that its offset names, and the first one without an offset', async () => {
    await create(content, article('first', { state: 'published', issued: '2026-10-25T02:30:00' }))
    await create(content, article('also-first', { state: 'published', issued: '2026-10-25T00:30:00Z' }))
    await create(content, article('second', { state: 'published', issued: '2026-10-25T01:30:00Z' }))
    for (const [instant, count] of [
      ['2026-10-25T00:29:59Z', 0],
      ['2026-10-25T00:30:00Z', 2],
      ['2026-10-25T01:29:59Z', 2],
      ['2026-10-25T01:30:00Z', 3],
      ['2026-10-25T02:00:00Z', 3],
    ] as const) {
      at(instant)
      expect(await live(), instant).to.equal(count)
    }
  })

  it('stays that moment when it is sent back as it reads, until it is changed', async () => {
    const id = await create(
      content,
      article('second', { state: 'published', issued: '2026-10-25T01:30:00Z' }),
    )
    const { url: _url, uuid: _uuid, perma_url_path: _path, ...shown } = await read(content, id)
    expect(shown['issued']).to.equal('2026-10-25T02:30:00')
    await right(stage.run(replaceObject(content), stage.as('editor', 2), { id, body: shown }))
    at('2026-10-25T00:30:00Z')
    expect(await live()).to.equal(0)
    const change = (issued: string) =>
      right(stage.run(changeObject(content), stage.as('editor', 2), { id, body: { issued } }))
    await change('2026-10-25T02:30:00+02:00')
    expect(await live()).to.equal(1)
    await change('2026-10-25T02:30:00+01:00')
    expect(await live()).to.equal(0)
    await change('2026-10-25T02:29:00')
    expect(await live()).to.equal(1)
  })

  it('opens and closes the windows of listings', async () => {
    const window = {
      listing_start: '2026-10-25T02:50:00+02:00',
      listing_expires: '2026-10-25T02:10:00+01:00',
    }
    const id = await create(location, { title: 'L', urlname: 'l', is_listing: true, ...window })
    const later = { listing_start: '2026-10-25T02:05:00+01:00' }
    const second = await create(location, { title: 'M', urlname: 'm', is_listing: true, ...later })
    const open = async (): Promise<readonly unknown[]> => {
      const parameters = { type: 'listing', fields: 'uuid' }
      const { items } = await right(
        stage.run(listObjects(location), stage.as('public_user', 2), { parameters }),
      )
      const active = await Promise.all(
        [id, second].map(async (each) =>
          (await read(location, each))['listing_active'] === true ? [each] : [],
        ),
      )
      expect(items.flat()).to.have.members(active.flat())
      return items.flat()
    }
    for (const [instant, expected] of [
      ['2026-10-25T00:49:59Z', []],
      ['2026-10-25T00:50:00Z', [id]],
      ['2026-10-25T01:04:59Z', [id]],
      ['2026-10-25T01:05:00Z', [id, second]],
      ['2026-10-25T01:10:00Z', [second]],
      ['2026-10-25T02:00:00Z', [second]],
    ] as const) {
      at(instant)
      expect(await open(), instant).to.have.members(expected)
    }
  })
})
