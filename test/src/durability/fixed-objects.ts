/**
 * Objects that exist before the first write. They are changed but never deleted, so that references to them remain
 * valid. Each worker has separate objects, except one article that all workers change.
 */
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Random } from './random.js'
import { expectOk } from '../harness/expect-response.js'
import type { Api } from '../harness/http-client.js'

export type Targets = Awaited<ReturnType<typeof createTargets>>
export type Worker = Targets['workers'][number]

/** One of the values at random. */
export const one = <A>(random: Random, values: readonly A[]): A => {
  const value = values[random.below(values.length)]
  if (value === undefined) throw new Error('nothing to choose from')
  return value
}

/** The comments on an article that is deleted and restored. */
export const threadLength = 25

const sharedAttributes = [
  'kicker',
  'sub_title',
  'meta_title',
  'meta_description',
  'description',
  'print_description',
].map((name) => ({ [name]: null }))

/** Creates the objects as an admin of the instance. */
export const createTargets = async (api: Api, random: Random, workerCount: number) => {
  const ids: Record<string, readonly string[]> = {}
  const register = (collection: string, id: string): string => {
    ids[collection] = [...(ids[collection] ?? []), id]
    return id
  }
  const create = async (collection: string, body: JsonObject): Promise<string> => {
    const id = randomUUID()
    expectOk(await api.put(`/${collection}/${id}`, { urlname: id, ...body }))
    return register(collection, id)
  }
  const createArticle = (more: JsonObject = {}): Promise<string> =>
    create('content', { content_type: 'article', title: 'Initial', ...more })
  /** An article with comments, which is deleted and restored with them. */
  const createThread = async (): Promise<string> => {
    const id = randomUUID()
    const article = { content_type: 'article', title: 'Thread', urlname: id, state: 'published' }
    expectOk(await api.put(`/content/${id}`, article))
    for (let count = 0; count < threadLength; count += 1)
      expectOk(
        await api.post('/comments', {
          parent_type: 'content',
          parent_uuid: id,
          comment: `Comment ${count}`,
          state: 'published',
        }),
      )
    return id
  }
  const createWorker = async (index: number) => {
    const sharedAttribute: JsonObject = sharedAttributes[index] ?? {}
    return {
      index,
      /** The attribute of the shared article that only this worker changes, with its initial value. */
      sharedAttribute,
      /** A published article at the top level whose urlname changes. */
      renamed: await createArticle({ state: 'published' }),
      thread: await createThread(),
      /** A section that moves below those of other workers. */
      section: await create('sections', { title: `Section ${index}` }),
      tags: [
        await create('tags', { last_name_or_title: `Tag ${index}.0` }),
        await create('tags', { last_name_or_title: `Tag ${index}.1` }),
        await create('tags', { last_name_or_title: `Tag ${index}.2` }),
      ] as readonly string[],
    }
  }
  const workers: Awaited<ReturnType<typeof createWorker>>[] = []
  for (let index = 0; index < workerCount; index += 1) workers.push(await createWorker(index))
  const prefix = randomUUID().slice(0, 4)
  let words = 0
  return {
    random,
    /** Returns a word that no other write has. */
    word: () => `w${prefix}${(words += 1)}`,
    /** All workers change this article: each one separate attributes and taggings. */
    article: await createArticle(),
    workers: workers as readonly (typeof workers)[number][],
    /** The ids of all these objects, by collection. */
    ids: ids as Readonly<Record<string, readonly string[]>>,
  }
}
