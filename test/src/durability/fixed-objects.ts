/**
 * Objects that exist before the first write. They are changed but never deleted, so that references to them remain
 * valid. Each worker has separate objects, except one article that all workers change.
 */
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Random } from './random.js'
import { waitFor } from './wait-for.js'
import { articleWith } from './written-objects.js'
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

/** The word of an article before its first draft. */
export const initialWord = 'initial'

/** The comments on an article that is deleted and restored, unless it is one of few with more. */
const usualThread = 10

/** Comments that are created at the same time. */
const commentsAtOnce = 3

const sharedAttributes = [
  'kicker',
  'sub_title',
  'meta_title',
  'meta_description',
  'description',
  'print_description',
].map((name) => ({ [name]: null }))

/** Creates the objects as an admin of the instance. The first articles that are deleted have these numbers of comments. */
export const createTargets = async (
  api: Api,
  random: Random,
  workerCount: number,
  longThreads: readonly number[],
) => {
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
  const createThread = async (threadLength: number): Promise<string> => {
    const id = randomUUID()
    const article = { content_type: 'article', title: 'Thread', urlname: id, state: 'published' }
    expectOk(await api.put(`/content/${id}`, article))
    const comment = async (number: number): Promise<void> => {
      const body = { parent_type: 'content', parent_uuid: id, state: 'published' }
      const path = `/comments/${randomUUID()}`
      await waitFor(`comment ${number}`, async () => {
        const response = await api.put(path, { ...body, comment: `Comment ${number}` })
        // A slow store may not keep up with those that come at the same time.
        return response.status === 503 ? null : expectOk(response)
      })
    }
    const numbers = Array.from({ length: threadLength }, (_, number) => number)
    while (numbers.length > 0) await Promise.all(numbers.splice(0, commentsAtOnce).map(comment))
    return id
  }
  const createWorker = async (index: number) => {
    const sharedAttribute: JsonObject = sharedAttributes[index] ?? {}
    const threadLength = longThreads[index] ?? usualThread
    return {
      index,
      /** The attribute of the shared article that only this worker changes, with its initial value. */
      sharedAttribute,
      /** A published article at the top level whose urlname changes. */
      renamed: await createArticle({ state: 'published' }),
      /** An article at the top level that takes over the name of another. */
      swapped: await createArticle(),
      /** An article with a draft. */
      drafted: await createArticle(articleWith(initialWord)),
      thread: await createThread(threadLength),
      threadLength,
      /** A section that moves below those of other workers. */
      section: await create('sections', { title: `Section ${index}` }),
      tags: [
        await create('tags', { last_name_or_title: `Tag ${index}.0` }),
        await create('tags', { last_name_or_title: `Tag ${index}.1` }),
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
