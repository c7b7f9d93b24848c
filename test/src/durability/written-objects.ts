/**
 * Objects that the crash tests write and read. Reading throws if an object is not the result of one complete
 * write.
 */
import { createHash, randomUUID } from 'node:crypto'
import { expect } from 'chai'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { expectOk, expectStatus, objectsOf, rowsOf } from '../harness/expect-response.js'
import type { ApiResponse, Api } from '../harness/http-client.js'
import { pathBelow } from '../harness/stored-files.js'

/** The expected state of a file. The digest is null after deletion. */
export type FileValue = { readonly title: string; readonly sha256: string | null }

export const sha256Of = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex')

const ok = async (response: Promise<ApiResponse>): Promise<void> => void expectOk(await response)

/** The same word in several attributes of one write, which must be stored together. */
export const articleWith = (word: string): JsonObject => ({
  title: word,
  description: word.repeat(20),
  content: `<p>${word.repeat(200)}</p>`,
})

const onlyWord = (what: string, words: readonly (Json | undefined)[]): string => {
  const [first, ...others] = words
  if (typeof first !== 'string' || others.some((each) => each !== first))
    throw new Error(`half-written: ${what} has ${JSON.stringify(words).slice(0, 300)}`)
  return first
}

export const createArticle = (api: Api, id: string, word: string): Promise<void> =>
  ok(api.put(`/content/${id}`, { content_type: 'article', urlname: id, ...articleWith(word) }))

export const changeArticle = (api: Api, id: string, word: string): Promise<void> =>
  ok(api.patch(`/content/${id}`, articleWith(word)))

/** The object, uncached; null if it does not exist. */
export const readObject = async (api: Api, path: string): Promise<JsonObject | null> => {
  const response = await api.get(path, { 'Cache-Control': 'no-cache' })
  return response.status === 404 ? null : expectOk(response).object
}

/** The word of an article; null if it does not exist. */
export const readArticle = async (api: Api, id: string): Promise<string | null> => {
  const found = await readObject(api, `/content/${id}`)
  if (found === null) return null
  const word = onlyWord(id, [found['title']])
  const { title, description, content } = found
  onlyWord(id, [JSON.stringify({ title, description, content }), JSON.stringify(articleWith(word))])
  return word
}

/** Creates an article with a slot in its body. */
export const createArticleWithSlot = async (api: Api, id: string): Promise<string> => {
  const slot = randomUUID()
  const body = { content_type: 'article', title: 'With a slot', urlname: id }
  expectOk(await api.put(`/content/${id}`, { ...body, content: `<slot id="${slot}"/>` }))
  return slot
}

export const embedWith = (word: string): JsonObject => ({
  type: 'embed',
  title: word,
  embed_code: `<i>${word}</i>`,
})

export const replaceMedia = (api: Api, path: string, word: string): Promise<void> =>
  ok(api.put(path, { items: Array.from({ length: 5 }, () => embedWith(word)) }))

/** The word of a slot’s media; null if there are none. */
export const readMedia = async (api: Api, path: string): Promise<string | null> => {
  const items = objectsOf(await api.get(path, { 'Cache-Control': 'no-cache' }))
  if (items.length === 0) return null
  if (items.length !== 5) throw new Error(`half-written: ${items.length} media`)
  return onlyWord(
    path,
    items.map(({ title }) => title),
  )
}

export const putFile = (api: Api, id: string, title: string): Promise<void> =>
  ok(api.put(`/files/${id}`, { title, filename: `${title}.bin` }))

export const uploadFile = (api: Api, id: string, data: Uint8Array): Promise<void> =>
  ok(api.send('POST', `/files/${id}`, { body: data, headers: { 'Content-Type': 'application/zip' } }))

/** The metadata of a file, with the digest of its downloaded data. */
export const readFile = async (api: Api, id: string): Promise<FileValue | null> => {
  const found = await readObject(api, `/files/${id}`)
  if (found === null) return null
  const { title, filename, download_url: address, byte_size: size } = found
  const name = onlyWord(id, [title])
  onlyWord(id, [filename, `${name}.bin`])
  if (address === undefined) return { title: name, sha256: null }
  const { bytes } = expectStatus(await api.get(pathBelow(address)), 200)
  if (bytes.length !== size) throw new Error(`${id}: ${bytes.length} bytes, but byte_size is ${String(size)}`)
  return { title: name, sha256: sha256Of(bytes) }
}

/** The rows of all objects of a collection, read page by page in this order. */
export const walkRows = async (
  api: Api,
  collection: string,
  order: string,
  fields = 'uuid',
): Promise<readonly (readonly Json[])[]> => {
  const found: (readonly Json[])[] = []
  for (let page = 1; ; page += 1) {
    const path = `/${collection}?fields=${fields}&rpp=100&order=${order}&page=${page}`
    const response = await api.get(path, { 'Cache-Control': 'no-cache' })
    found.push(...rowsOf(response))
    if (response.object['next'] === undefined) return found
  }
}

/** The ids of all objects of a collection in this order. */
export const walk = async (api: Api, collection: string, order: string): Promise<readonly string[]> =>
  (await walkRows(api, collection, order)).map(([id]) => String(id))

/**
 * Expects that one of two services that started concurrently on empty stores has created the sample and the key.
 */
export const expectOneSample = async (
  admin: (...args: readonly string[]) => Promise<unknown>,
  [one, other]: readonly [Api, Api],
): Promise<void> => {
  const instances = await admin('instance', 'list')
  const keys = await admin('key', 'list')
  expect(Array.isArray(instances) ? instances.length : instances).to.equal(1)
  expect(Array.isArray(keys) ? keys.length : keys).to.equal(1)
  expect(await walk(one, 'content', 'title')).to.deep.equal(await walk(other, 'content', 'title'))
}
