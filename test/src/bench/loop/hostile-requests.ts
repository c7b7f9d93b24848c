/** Requests that are cheap to send and expensive to process, and the objects that they read. */
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@publishing-service/domain'
import { createAgent, exchange } from '../exchange.js'
import type { Tokens } from '../publication.js'

/** Ids of the content objects that requests name. */
export type HostileObjects = { readonly manySlots: string; readonly muchMedia: string }

export type HostileRequest = {
  readonly name: string
  readonly title: string
  readonly role: keyof Tokens
  readonly request: (
    serial: number,
    objects: HostileObjects,
  ) => { readonly method: string; readonly path: string; readonly body: string | null }
}

const get = (path: string) => ({ method: 'GET', path, body: null })

const manyKeys = `{${Array.from({ length: 400_000 }, (_, index) => `"k${index}":1`).join(',')}}`
const manyValues = `{"title":[${'1,'.repeat(2_400_000)}1]}`
const allNames = 'title-description-print_description-print_description'

/** `locations` are those of the seed; every page is requested once, so that none comes from the response cache. */
export const hostileRequests: readonly HostileRequest[] = [
  {
    name: 'loop-repeated-fields',
    title: 'a field 99 times over 100 rows of 10 000 characters',
    role: 'reader',
    request: () => get(`/blogs?rpp=100&order=title.desc&fields=${Array(99).fill('description').join('-')}`),
  },
  {
    name: 'loop-large-rows',
    title: '100 rows of a megabyte',
    role: 'reader',
    request: () => get(`/content?rpp=100&order=created.desc&fields=${allNames}`),
  },
  {
    name: 'loop-keys',
    title: 'a body of 400 000 unknown keys',
    role: 'editor',
    request: () => ({ method: 'POST', path: '/content', body: manyKeys }),
  },
  {
    name: 'loop-values',
    title: 'a body of 2 400 000 numbers',
    role: 'editor',
    request: () => ({ method: 'POST', path: '/content', body: manyValues }),
  },
  {
    name: 'loop-far-page',
    title: 'pages far past the end of 60 000',
    role: 'reader',
    request: (serial) => get(`/locations?page=${1_000_000 + serial}`),
  },
  {
    name: 'loop-far-ordered-page',
    title: 'the same by title',
    role: 'reader',
    request: (serial) => get(`/locations?order=title.desc&page=${1_000_000 + serial}`),
  },
  {
    name: 'loop-far-public-page',
    title: 'the same by modification and state, for public_user',
    role: 'visitor',
    request: (serial) => get(`/locations?order=modified.desc&page=${1_000_000 + serial}`),
  },
  {
    name: 'loop-media',
    title: 'media of slots that hold 6 MB',
    role: 'reader',
    request: (_serial, { muchMedia }) => get(`/content/${muchMedia}/media`),
  },
  {
    name: 'loop-slots',
    title: 'slots of a body that is full of them',
    role: 'reader',
    request: (_serial, { manySlots }) => get(`/content/${manySlots}/slots`),
  },
  {
    name: 'loop-slot-media',
    title: 'media of a body that is full of slots',
    role: 'reader',
    request: (_serial, { manySlots }) => get(`/content/${manySlots}/media`),
  },
]

const wide = (length: number): string => '漢'.repeat(length)

/** Writes what the requests read, as large as the service accepts. */
export const prepareHostileObjects = async (base: string, token: string): Promise<HostileObjects> => {
  const agent = createAgent(4)
  const put = async (path: string, body: JsonObject): Promise<boolean> => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const { status } = await exchange(
      base,
      { method: 'PUT', path, headers, body: JSON.stringify(body) },
      agent,
    )
    if (status !== 200 && status !== 400) throw new Error(`PUT ${path} gave ${status}`)
    return status === 200
  }
  const mustPut = async (path: string, body: JsonObject): Promise<void> => {
    if (!(await put(path, body))) throw new Error(`PUT ${path} gave 400`)
  }
  const article = (name: string, content: string): JsonObject => ({
    content_type: 'article',
    title: name,
    urlname: `${name}-${randomUUID()}`,
    content,
  })
  const slots = (count: number): string =>
    Array.from({ length: count }, () => `<slot id="${randomUUID()}"/>`).join('')
  try {
    for (let row = 0; row < 100; row += 1) {
      const id = randomUUID()
      await mustPut(`/blogs/${id}`, { title: `zz ${row}`, urlname: `b-${id}`, description: wide(10_000) })
      await mustPut(`/content/${id}`, {
        ...article(`large-${row}`, `<p>${wide(333_000)}</p>`),
        print_description: wide(100_000),
      })
    }
    const [manySlots, muchMedia, slot] = [randomUUID(), randomUUID(), randomUUID()]
    const path = `/content/${manySlots}`
    // As many as are accepted: each attempt has half the slots of the previous one.
    for (let count = 20_000; !(await put(path, article('many-slots', slots(count)))); count = count >> 1);
    await mustPut(`/content/${muchMedia}`, article('much-media', `<slot id="${slot}"/>`))
    const media = (count: number): JsonObject => ({
      items: Array.from({ length: count }, () => ({ type: 'embed', embed_code: wide(33_000) })),
    })
    for (let count = 50; !(await put(`/content/${muchMedia}/slots/${slot}/media`, media(count))); count -= 1);
    return { manySlots, muchMedia }
  } finally {
    agent.destroy()
  }
}
