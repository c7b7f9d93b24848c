/**
 * Every word of every object finds, for each role, exactly the objects with this word that the role may see
 * (docs/behaviour/search.md#visibility).
 */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { randomUUID } from 'node:crypto'
import { sampleFrom } from '@publishing-service/conformance'
import { resources } from '@publishing-service/domain'
import type { Json } from '@publishing-service/domain/json'
import { roles } from '@publishing-service/domain/roles'
import { searchedAttributes, segmentsOf } from '@publishing-service/domain/engine'
import { asciiWords } from '../harness/ascii-words.js'
import { expectOk, rowsOf } from '../harness/expect-response.js'
import type { Api } from '../harness/http-client.js'
import { bodiesOf, variantsOf } from '../harness/valid-bodies.js'
import { useFixture, visibleAttributes, type Fixture } from './service-fixture.js'

const fresh = { 'Cache-Control': 'no-cache' } as const

const searched = resources.filter(({ filters }) => filters['q'] !== undefined)

describe('search', () => {
  let fixture: Fixture
  useFixture(async (started) => {
    fixture = started
    let seed = 0
    for (const resource of searched)
      for (const variant of variantsOf(resource))
        for (const body of fc.sample(bodiesOf(resource, variant, fixture.candidates), {
          numRuns: 3,
          seed: (seed += 1),
        })) {
          const name = resource.attributes['title']?.kind === 'stored' ? 'title' : 'last_name_or_title'
          const known = {
            ...body,
            [name]: `Common word${seed % 3}`,
            ...(seed % 2 === 0 ? {} : visibleAttributes(resource)),
          }
          expectOk(await fixture.home.admin.put(`/${segmentsOf(resource)}/${randomUUID()}`, known))
        }
  })

  const idsOf = async (api: Api, path: string): Promise<readonly Json[]> => {
    const ids: Json[] = []
    for (let page = 1; ; page += 1) {
      const response = expectOk(await api.get(`${path}&fields=uuid&rpp=5&page=${page}`, fresh))
      ids.push(...rowsOf(response).map(([id = null]) => id))
      if (response.object['next'] === undefined) return ids
    }
  }

  for (const resource of searched)
    it(`finds ${resource.collection} that each role sees`, async function () {
      this.timeout(60_000)
      const path = `/${segmentsOf(resource)}`
      const names = searchedAttributes(resource.attributes).map(({ name }) => name)
      const all = rowsOf(
        expectOk(await fixture.home.admin.get(`${path}?rpp=100&fields=uuid,${names.join(',')}`, fresh)),
      )
      const words = new Map<string, Set<Json>>()
      for (const [id = null, ...values] of all)
        for (const word of values.flat().flatMap(asciiWords))
          if (word.length <= 40) words.set(word, (words.get(word) ?? new Set()).add(id))
      expect(words.size).to.be.at.least(2)
      for (const role of roles) {
        const api = fixture.home.as[role]
        const visible = await idsOf(api, `${path}?`)
        for (const [word, having] of sampleFrom([...words], 10)) {
          const found = await idsOf(api, `${path}?q="${word}"`)
          const listed = await idsOf(api, `/search?types=${resource.collection}&q="${word}"`)
          expect(new Set(found).size, word).to.equal(found.length)
          expect(visible, `${role} ${word}`).to.include.members([...found])
          expect(found, `${role} ${word}`).to.include.members(
            [...having].filter((id) => visible.includes(id)),
          )
          expect(listed, `${role} ${word}`).to.deep.equal(found)
        }
      }
    })
})
