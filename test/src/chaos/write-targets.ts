/**
 * Objects that exist before the first write: they are changed but never deleted, so that references to them remain valid.
 * Each worker has its own; one article belongs to all of them, so that several write to one document.
 */
import { randomUUID } from 'node:crypto'
import type { Json } from '@publishing-service/domain'
import type { Random } from '../durability/random.js'
import { expectOk } from '../harness/expect-response.js'
import type { Api } from '../harness/http-client.js'
import { storeImage } from '../harness/stored-files.js'

export type Worker = {
  readonly index: number
  /** An article with a slot in its body. */
  readonly article: string
  readonly slot: string
  /** A published article at the top level whose urlname changes. */
  readonly renamed: string
  /** A section that moves below those of other workers. */
  readonly section: string
  readonly category: string
  readonly tags: readonly string[]
}

export type Targets = {
  readonly random: Random
  /** A word that no other write has. */
  readonly word: () => string
  /** An article of which each worker writes its own attributes and taggings. */
  readonly article: string
  readonly images: readonly string[]
  readonly workers: readonly Worker[]
  /** The ids of all that was made here, by collection. */
  readonly ids: ReadonlyMap<string, readonly string[]>
}

const imageCount = 2
const tagCount = 3

export const one = <A>(random: Random, values: readonly A[]): A => {
  const value = values[random.below(values.length)]
  if (value === undefined) throw new Error('nothing to choose from')
  return value
}

/** Makes the objects; `api` is an admin of the instance. */
export const createTargets = async (api: Api, random: Random, workerCount: number): Promise<Targets> => {
  const ids = new Map<string, string[]>()
  const made = (collection: string, id: string): string => {
    ids.set(collection, [...(ids.get(collection) ?? []), id])
    return id
  }
  const put = async (collection: string, body: Readonly<Record<string, Json>>): Promise<string> => {
    const id = randomUUID()
    expectOk(await api.put(`/${collection}/${id}`, body))
    return made(collection, id)
  }
  const article = (more: Readonly<Record<string, Json>> = {}): Promise<string> =>
    put('content', { content_type: 'article', title: 'Initial', urlname: randomUUID(), ...more })

  const images: string[] = []
  for (let count = 0; count < imageCount; count += 1) images.push(made('files', (await storeImage(api)).id))
  const workers: Worker[] = []
  for (let index = 0; index < workerCount; index += 1) {
    const slot = randomUUID()
    const tags: string[] = []
    for (let count = 0; count < tagCount; count += 1)
      tags.push(await put('tags', { last_name_or_title: `Tag ${index}.${count}`, urlname: randomUUID() }))
    workers.push({
      index,
      article: await article({ content: `<slot id="${slot}"/>` }),
      slot,
      renamed: await article({ state: 'published', urlname: randomUUID() }),
      section: await put('sections', { title: `Section ${index}`, urlname: randomUUID() }),
      category: await put('tags/categories', { title: `Category ${index}` }),
      tags,
    })
  }
  const own = randomUUID().slice(0, 4)
  let words = 0
  return {
    random,
    word: () => `w${own}${(words += 1)}`,
    article: await article(),
    images,
    workers,
    ids,
  }
}
