/** Where pages of the service's own documents start (docs/behaviour/collections.md#links). */
import { section } from '@publishing-service/domain'
import type { Json } from '@publishing-service/domain/json'
import { placeText, type Listing, type PageLink, type Parameters } from '@publishing-service/domain/lists'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { createObject, listInstanceAudit, listPeople } from '../operations.js'
import { aSection, createStage, faultsOf, right, type Stage } from '../test-support/stage.js'
import { userCommands } from '../test-support/user-commands.js'

describe('the places of pages of what belongs to all instances', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await createStage()
    await right(stage.useCases.administerInstances.create({ title: 'The other', timezone: 'UTC' }))
  })

  type List = (parameters: Parameters) => Promise<Listing>

  /** All pages, and where each but the first starts. */
  const walk = async (list: List, parameters: Parameters) => {
    const pages: Json[][] = []
    const places: Json[] = []
    for (let link: PageLink | null = { page: 1, after: null }; link !== null;) {
      const { page, after }: PageLink = link
      const listing: Listing = await list({
        ...parameters,
        ...(after === null ? {} : { after: placeText(page, after) }),
      })
      pages.push(listing.items.map(([first = null]) => first))
      if (listing.next?.after != null) places.push(listing.next.after[0])
      link = listing.next
    }
    return { pages, places }
  }

  it('name the last entry of the audit log, and no position among those of all instances', async () => {
    const created: string[] = []
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      for (const instance of [1, 2]) {
        const as = { ...stage.as('admin', instance), requestId: 'r' }
        const id = await right(stage.run(createObject(section), as, { body: aSection(name) }))
        if (instance === 1) created.push(id)
      }
      if (name !== 'b') stage.clock.advance(1000)
    }
    const audit: List = (parameters) => right(stage.run(listInstanceAudit, stage.as('admin'), { parameters }))
    for (const order of ['created.asc', 'created.desc']) {
      const parameters = { order, rpp: '2', operation: 'createObject' }
      const { pages } = await walk(audit, { ...parameters, fields: 'object' })
      const expected = order === 'created.asc' ? created : created.toReversed()
      expect(pages.flat()).to.deep.equal(expected)
      const { pages: entries, places } = await walk(audit, { ...parameters, fields: 'uuid' })
      expect(places.map((place) => (Array.isArray(place) ? place.at(-1) : null))).to.deep.equal(
        entries.slice(0, -1).map((page) => page.at(-1)),
      )
    }
    for (const last of [7, '00000000-0000-4000-8000-ffffffffffff', null])
      expect(
        await faultsOf(
          stage.run(listInstanceAudit, stage.as('admin'), {
            parameters: { after: placeText(2, [['2026-03-01T12:00:00.000Z', last], null]) },
          }),
        ),
        String(last),
      ).to.have.keys('after')
  })

  it('are after a person who is listed, and never after a user of another instance', async () => {
    const users = userCommands(stage)
    const names = Array.from({ length: 230 }, (_, index) => `n${String(index).padStart(3, '0')}`)
    for (const [index, name] of names.entries()) {
      const { user } = await right(users.create(name))
      await right(users.grant(user, index % 5 === 0 ? 1 : 2, 'editor'))
    }
    const people: List = (parameters) => right(stage.run(listPeople, stage.as('editor'), { parameters }))
    const { pages, places } = await walk(people, { fields: 'name', rpp: '7' })
    expect(pages.flat()).to.deep.equal(names.filter((_, index) => index % 5 === 0))
    expect(places.map((place) => (Array.isArray(place) ? place[0] : null))).to.deep.equal(
      pages.slice(0, -1).map((page) => page.at(-1)),
    )
    expect(new Set(places.map((place) => (Array.isArray(place) ? place.length : null)))).to.deep.equal(
      new Set([2]),
    )
  })
})
