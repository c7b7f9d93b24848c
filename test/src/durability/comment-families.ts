/** Comments: single ones, and those that are deleted and restored with their article. */
import { setTimeout } from 'node:timers/promises'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Api } from '../harness/http-client.js'
import { idOf } from '../harness/object-writer.js'
import { patch, percent, put, remove, type Family } from './family.js'
import { readObject, walkRows } from './written-objects.js'

/** Published comments on the shared article. */
export const singleComments: Family = {
  collection: 'comments',
  next: (choice) => {
    const { name, current, targets } = choice
    const word = targets.word()
    const words = { title: word, comment: word.repeat(50), creator: word }
    if (current === null)
      return put(name, {
        parent_type: 'content',
        parent_uuid: targets.article,
        state: 'published',
        ...words,
      })
    return percent(targets, 30) ? remove(name) : patch(choice, words)
  },
}

/** An article with this number of comments. */
const withComments = (urlname: string, comments: number): JsonObject => ({
  urlname,
  comments,
  comments_count: comments,
})

/** What there is of an article and its comments; without the article, its urlname is null. */
const readThread = async (api: Api, id: string): Promise<JsonObject> => {
  const object = await readObject(api, `/content/${id}`)
  const found = await walkRows(api, 'comments', 'created', `uuid&content=${id}`)
  const { urlname = null, comments_count = 0 } = object ?? {}
  return { urlname, comments: found.length, comments_count }
}

/** Milliseconds within which a process finishes what another one has left. */
const patience = 90_000

/** An article that is deleted with its comments, and restored with all of them. Many comments do not fit into one write. */
export const threads: Family = {
  weight: 2,
  lists: 'content',
  goesOn: true,
  names: ({ thread, threadLength }) => ({ [`/content/${thread}`]: withComments(thread, threadLength) }),
  next: ({ name, current, worker: { thread, threadLength } }) =>
    current === null
      ? { value: withComments(thread, threadLength), send: (api) => api.post(`/trash${name}/restore`, {}) }
      : remove(name),
  read: async (api, name, { workers }) => {
    const length = workers.find(({ thread }) => thread === idOf(name))?.threadLength ?? 0
    const end = performance.now() + patience
    for (;;) {
      const found = await readThread(api, idOf(name))
      if (found['urlname'] === null && found['comments'] === 0) return null
      if (found['comments_count'] === length || performance.now() > end) return found
      await setTimeout(50)
    }
  },
}
