/** Pages of many locations near a point (docs/behaviour/locations.md#near). */
import { location } from '@publishing-service/domain'
import { nearLimits } from '@publishing-service/domain/locations'
import type { Parameters } from '@publishing-service/domain/lists'
import { expect } from 'chai'
import { before, describe, it } from 'mocha'
import { createStage, faultsOf, right, type Stage } from '../test-support/stage.js'
import { listObjects } from '../engine/list.js'

describe('pages of many locations near a point', () => {
  let stage: Stage
  // More than are sorted in memory. Each tenth is outside the circle, in a cell of it.
  const titles = Array.from(
    { length: 1010 },
    (_, number) => `t${String((number * 7) % 1010).padStart(4, '0')}`,
  )
  const inside = titles.filter((_, number) => number % 10 !== 0)
  before(async () => {
    stage = await createStage()
    for (const [number, title] of titles.entries())
      await stage.create(location, {
        title,
        urlname: title,
        coords: [48.2 + (number % 10 === 0 ? 0.0149 : number / 1_000_000), 16.37],
      })
  })

  const list = (parameters: Parameters) =>
    stage.run(listObjects(location), stage.as('reader'), {
      parameters: { fields: 'title', near: '48.2,16.37,1.5', ...parameters },
    })
  const walk = async (parameters: Parameters): Promise<readonly unknown[]> => {
    const found: unknown[] = []
    for (let page = 1; ; page += 1) {
      const { items, next } = await right(list({ ...parameters, rpp: '90', page: String(page) }))
      found.push(...items.flat())
      if (next === null) return found
    }
  }

  it('contain each once, in the order', async () => {
    expect(await walk({})).to.deep.equal(inside)
    expect(await walk({ order: 'title.desc' })).to.deep.equal(inside.toSorted().toReversed())
    expect(await walk({ order: 'distance' })).to.deep.equal(inside)
  })

  it('are read from any page', async () => {
    const { items, next } = await right(list({ order: 'title', rpp: '100', page: '10' }))
    expect(items.flat()).to.deep.equal(inside.toSorted().slice(900, 1000))
    expect(next).to.equal(null)
    expect((await right(list({ order: 'title', rpp: '100', page: '11' }))).items).to.deep.equal([])
  })

  it('in the order of distance end at a limit', async () => {
    const page = String(nearLimits.rows / 100 + 1)
    expect(Object.keys(await faultsOf(list({ order: 'distance', rpp: '100', page })))).to.deep.equal(['page'])
  })
})
