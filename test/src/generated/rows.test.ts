/**
 * The values in a row of a collection equal the values of the object, for every resource, attribute and role, with
 * and without the directory add-on (docs/behaviour/collections.md#fields).
 */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import {
  fieldsOf,
  mayActAs,
  resources,
  roleNeeded,
  roles,
  segmentsOf,
  type Json,
  type JsonObject,
} from '@publishing-service/domain'
import { expectOk, objectsOf, rowsOf } from '../harness/expect-response.js'
import type { Api } from '../harness/http-client.js'
import { bodiesOf, variantsOf } from '../harness/valid-bodies.js'
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { useFixture, type Fixture } from './service-fixture.js'

const fresh = { 'Cache-Control': 'no-cache' } as const

describe('rows', () => {
  let fixture: Fixture
  useFixture(async (started) => {
    fixture = started
    // Objects of every variant with arbitrary valid values.
    let seed = 0
    for (const resource of resources)
      for (const variant of variantsOf(resource))
        for (const body of fc.sample(bodiesOf(resource, variant, fixture.candidates), {
          numRuns: 3,
          seed: (seed += 1),
        }))
          expectOk(await fixture.home.admin.put(`/${segmentsOf(resource)}/${randomUUID()}`, body))
  })

  const readAllRows = async (api: Api, path: string): Promise<readonly (readonly Json[])[]> => {
    const rows: (readonly Json[])[] = []
    for (let page = 1; ; page += 1) {
      const response = await api.get(`${path}&page=${page}&rpp=20`, fresh)
      rows.push(...rowsOf(response))
      if (response.object['next'] === undefined) return rows
    }
  }

  /** The field `tags` of an object: the list of its tags, which single objects do not have. */
  const tagsOf = async (api: Api, path: string): Promise<readonly JsonObject[]> =>
    objectsOf(await api.get(`${path}/tags`, fresh)).map(({ uuid = null, predicate = null }) => ({
      uuid,
      predicate,
    }))

  const expectEqual = async (api: Api, collection: string): Promise<void> => {
    const resource = resources.find((each) => each.collection === collection)
    if (resource === undefined) throw new Error(collection)
    const path = `/${segmentsOf(resource)}`
    // Single objects have no path_history; public-paths.test.ts tests it.
    const names = [...fieldsOf(resource)].filter(([field]) => field !== 'path_history')
    const fields = ['uuid', ...names.map(([field]) => field)]
    const rows = await readAllRows(api, `${path}?fields=${fields.join(',')}`)
    expect(rows).not.to.have.lengthOf(0)
    for (const [id, ...values] of rows) {
      const { object } = expectOk(await api.get(`${path}/${String(id)}`, fresh))
      const whole: JsonObject = names.some(([field]) => field === 'tags')
        ? { ...object, tags: await tagsOf(api, `${path}/${String(id)}`) }
        : object
      const expected: JsonObject = Object.fromEntries(
        names.map(([field, attribute]) => [field, whole[attribute] ?? null]),
      )
      expect(Object.fromEntries(names.map(([field], index) => [field, values[index]]))).to.deep.equal(
        expected,
      )
      expect([...fieldsOf(resource).keys()]).to.include.members(Object.keys(object))
    }
  }

  for (const addon of [true, false])
    for (const { collection } of resources)
      for (const role of roles.filter((each) => mayActAs(each, roleNeeded(collection, 'read') ?? 'admin')))
        it(`of ${collection} equal the objects for the role ${role}, ${addon ? 'with' : 'without'} the add-on`, async () => {
          expectOk(await fixture.home.admin.patch('/settings', { directory_addon: addon }))
          await expectEqual(fixture.home.as[role], collection)
        })

  it('of a category’s tags contain large attributes too', async () => {
    const tag = `/tags/${fixture.ids.get('tags') ?? ''}`
    expectOk(await fixture.home.editor.patch(tag, { content: '<p>Heavy</p>' }))
    const category = `/tags/categories/${fixture.ids.get('tag_categories') ?? ''}`
    expectOk(
      await fixture.home.editor.put(`${category}/tags`, { items: [{ uuid: fixture.ids.get('tags') ?? '' }] }),
    )
    expect(rowsOf(await fixture.home.reader.get(`${category}/tags?fields=content-synonyms`))).to.deep.equal([
      ['<p>Heavy</p>', []],
    ])
  })
})
