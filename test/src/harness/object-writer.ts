/** Creates, reads and changes objects of every kind with short calls. */
import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { expectOk, uuidOf } from './expect-response.js'
import type { TestContext } from './on-every-store.js'

/** The UUID at the end of a path. */
export const idOf = (path: string): string => path.split('/').at(-1) ?? ''

/** Creates, reads and changes objects by their paths. */
export const objectWriter = (place: TestContext) => {
  const create = async (path: string, body: JsonObject): Promise<string> =>
    `${path}/${uuidOf(await place.home.admin.post(path, { title: 'x', urlname: randomUUID(), ...body }))}`
  const content = (content_type: string, more: JsonObject = {}) =>
    create('/content', {
      content_type,
      ...(content_type === 'event' ? { dtstart: '2026-04-01' } : {}),
      ...more,
    })
  /** Creates published content and returns its UUID. */
  const published = async (content_type = 'article', more: JsonObject = {}): Promise<string> =>
    idOf(await content(content_type, { state: 'published', ...more }))
  /** Creates a location and returns its UUID. */
  const location = async (more: JsonObject = {}): Promise<string> => idOf(await create('/locations', more))
  const tag = (more: JsonObject = {}) => create('/tags', { last_name_or_title: 'x', title: null, ...more })
  const read = async (path: string): Promise<JsonObject> => expectOk(await place.home.reader.get(path)).object

  /** Expects that PUT and PATCH store these attributes. */
  const expectStored = async (path: string, attributes: JsonObject): Promise<void> => {
    const original = await read(path)
    const empty = Object.fromEntries(Object.keys(attributes).map((name): [string, Json] => [name, null]))
    expectOk(await place.home.admin.patch(path, attributes))
    expect(await read(path)).to.deep.include(attributes)
    expectOk(await place.home.admin.put(path, { ...original, ...empty }))
    expect(await read(path)).not.to.deep.include(attributes)
    expectOk(await place.home.admin.put(path, { ...original, ...attributes }))
    expect(await read(path)).to.deep.include(attributes)
  }
  return { create, content, published, location, tag, read, expectStored }
}
