/**
 * A value in a row of a collection is the value in the object: of every resource, every attribute, every role, with
 * and without the directory add-on (docs/behaviour/collections.md#fields).
 */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
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
import { expectOk, rowsOf } from '../harness/expect-answer.js'
import type { Api } from '../harness/http-client.js'
import { bodiesOf, variantsOf } from '../harness/valid-bodies.js'
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { setStage, type Stage } from './stage.js'

const fresh = { 'Cache-Control': 'no-cache' } as const

describe('rows', () => {
  let stage: Stage
  before(async () => {
    stage = await setStage()
    // Objects of every variant, with whatever their attributes can hold.
    let seed = 0
    for (const resource of resources)
      for (const variant of variantsOf(resource))
        for (const body of fc.sample(bodiesOf(resource, variant, stage.candidates), {
          numRuns: 3,
          seed: (seed += 1),
        }))
          expectOk(await stage.home.admin.put(`/${segmentsOf(resource)}/${randomUUID()}`, body))
  })
  after(async () => {
    await stage.close()
  })

  const everyRow = async (api: Api, path: string): Promise<readonly (readonly Json[])[]> => {
    const rows: (readonly Json[])[] = []
    for (let page = 1; ; page += 1) {
      const answer = await api.get(`${path}&page=${page}&rpp=20`, fresh)
      rows.push(...rowsOf(answer))
      if (answer.object['next'] === undefined) return rows
    }
  }

  const expectEqual = async (api: Api, collection: string): Promise<void> => {
    const resource = resources.find((each) => each.collection === collection)
    if (resource === undefined) throw new Error(collection)
    const path = `/${segmentsOf(resource)}`
    const names = [...fieldsOf(resource)]
    const fields = ['uuid', ...names.map(([field]) => field)]
    const rows = await everyRow(api, `${path}?fields=${fields.join(',')}`)
    expect(rows).not.to.have.lengthOf(0)
    for (const [id, ...values] of rows) {
      const { object } = expectOk(await api.get(`${path}/${String(id)}`, fresh))
      const expected: JsonObject = Object.fromEntries(
        names.map(([field, attribute]) => [field, object[attribute] ?? null]),
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
        it(`of ${collection} are what a ${role} reads one by one, ${addon ? 'with' : 'without'} the add-on`, async () => {
          expectOk(await stage.home.admin.patch('/settings', { directory_addon: addon }))
          await expectEqual(stage.home.as[role], collection)
        })

  it('of a category’s tags hold heavy attributes too', async () => {
    const tag = `/tags/${stage.ids.get('tags') ?? ''}`
    expectOk(await stage.home.editor.patch(tag, { content: '<p>Heavy</p>' }))
    const category = `/tags/categories/${stage.ids.get('tag_categories') ?? ''}`
    expectOk(
      await stage.home.editor.put(`${category}/tags`, { items: [{ uuid: stage.ids.get('tags') ?? '' }] }),
    )
    expect(rowsOf(await stage.home.reader.get(`${category}/tags?fields=content-synonyms`))).to.deep.equal([
      ['<p>Heavy</p>', []],
    ])
  })
})
