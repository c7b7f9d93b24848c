/** Clients of a service whose workers are killed or replaced. Each has one connection, an article of its own, and what was acknowledged. */
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { articleWith, changeArticle, createArticle, readArticle } from '../durability/written-objects.js'
import { uuidOf } from '../harness/expect-response.js'
import { createApi, oneConnection, type Api, type ApiResponse } from '../harness/http-client.js'

/** Milliseconds between two requests of a client: the machine also starts workers. */
const pause = 5

/** A request that had no answer, because its connection was broken. */
export type Broken = {
  readonly at: number
  /** The id of the last request that was answered on this connection; null if none was. */
  readonly last: string | null
}

const isBroken = (error: unknown): boolean =>
  error instanceof Error &&
  (/socket hang up/.test(error.message) ||
    ('code' in error && ['ECONNRESET', 'EPIPE', 'ECONNREFUSED'].includes(String(error.code))))

/** A client that notes each response. */
const noting = (
  { token, send, get, head, put, patch, post, ...others }: Api,
  note: (response: ApiResponse) => void,
): Api => {
  const noted =
    <A extends readonly unknown[]>(request: (...args: A) => Promise<ApiResponse>) =>
    async (...args: A): Promise<ApiResponse> => {
      const response = await request(...args)
      note(response)
      return response
    }
  return {
    token,
    send: noted(send),
    get: noted(get),
    head: noted(head),
    put: noted(put),
    patch: noted(patch),
    post: noted(post),
    delete: noted(others.delete),
  }
}

export type SteadyClient = Awaited<ReturnType<typeof createSteadyClient>>

export const createSteadyClient = async (url: string, token: string) => {
  const agent = oneConnection()
  let last: string | null = null
  const api = noting(createApi(`${url}/1`, token, agent), ({ headers }) => {
    last = String(headers['x-request-id'])
  })
  const article = randomUUID()
  const created: string[] = []
  const broken: Broken[] = []
  const faults: string[] = []
  /** What the article can be: the acknowledged word, and those of writes that had no answer since. */
  let words: readonly string[] = ['begin']
  let [count, answered] = [0, 0]
  await createArticle(api, article, 'begin')

  const steps = [
    async (): Promise<void> => {
      const found = await readArticle(api, article)
      if (found === null || !words.includes(found))
        faults.push(`${article} is ${found}, and not ${words.join(' or ')}`)
      else words = [found]
    },
    async (): Promise<void> => {
      const word = `word${count}`
      words = [...words, word]
      await changeArticle(api, article, word)
      words = [word]
    },
    async (): Promise<void> => {
      const value = { content_type: 'article', urlname: randomUUID(), ...articleWith('new') }
      created.push(uuidOf(await api.post('/content', value)))
    },
  ]
  return {
    answered: (): number => answered,
    broken: (): readonly Broken[] => broken,
    faults: (): readonly string[] => faults,
    run: async (isOver: () => boolean): Promise<void> => {
      for (; !isOver(); count += 1) {
        try {
          await steps[count % steps.length]?.()
          answered += 1
        } catch (error) {
          if (isBroken(error)) broken.push({ at: performance.now(), last })
          else faults.push(error instanceof Error ? error.message : String(error))
          last = null
        }
        await setTimeout(pause)
      }
      agent.destroy()
    },
    /** What a reader finds that was not acknowledged, or does not find that was. */
    verify: async (reader: Api): Promise<readonly string[]> => {
      const found = await readArticle(reader, article)
      const lost: string[] = []
      for (const id of created) if ((await readArticle(reader, id)) !== 'new') lost.push(`${id} is lost`)
      return found !== null && words.includes(found) ? lost : [...lost, `${article} is ${found}`]
    },
  }
}
