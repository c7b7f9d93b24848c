/**
 * Hard work stays off the event loop: while secrets are hashed, a picture is scaled or a large body is read, others
 * are answered. What is counted are turns of the loop, answers, and the processor's time of the loop's own thread, none
 * of which a busy machine changes much.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { Agent, request, type IncomingMessage } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { scryptSecrets } from '@publishing-service/adapter-system'
import { expectOk } from '../harness/expect-answer.js'
import { createApi, type Answer, type Api } from '../harness/http-client.js'
import { storeFile } from '../harness/library.js'
import { createPublication } from '../harness/publication.js'
import { pngOf, pngSize } from '../harness/small-files.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'

/** Turns of the event loop that a request may take: reading, routing, writing, and those of the client, amply. */
const turnLimit = 100
/** How many times the yardstick's time of the processor a turn of the loop may take, at the best of some attempts. */
const yardsticks = 12

/** About 20 milliseconds a hash, a tenth of the usual: enough to be noticed where it were in the way. */
const cost = { cost: 8192, blockSize: 8, parallelization: 1 } as const

const statistics = `/proc/self/task/${process.pid}/schedstat`

/** Milliseconds for which the main thread has had a processor; where that isn't told, milliseconds. */
const timeHad: () => number = existsSync(statistics)
  ? () => Number(readFileSync(statistics, 'utf8').split(' ', 1)[0]) / 1e6
  : () => performance.now()

/** Some two megabytes, as they might come from a client. */
const rows = JSON.stringify(
  Array.from({ length: 20_000 }, (_, index) => ({
    id: String(index),
    text: `<p>A <em>word</em> and ${index}</p>`,
    numbers: [index, index + 0.5, -index],
    isEven: index % 2 === 0,
  })),
)

/** Milliseconds of the processor for reading and writing JSON: machines differ threefold, one from hour to hour too. */
const yardstick = (): number => {
  const before_ = timeHad()
  JSON.stringify(JSON.parse(rows))
  return timeHad() - before_
}

type Count = { readonly answers: number; readonly mostTurns: number }

/** How many turns of the event loop go by until a promise settles. */
const turnsOf = async (work: Promise<unknown>): Promise<number> => {
  let turns = 0
  let settled = false
  const count = (): void => {
    turns += 1
    if (!settled) setImmediate(count)
  }
  setImmediate(count)
  await work.finally(() => {
    settled = true
  })
  return turns
}

describe('the event loop', function () {
  this.timeout(60_000)
  let service: TestService
  let api: Api
  let root: Api
  before(async () => {
    service = await startTestService({}, { secrets: scryptSecrets({ cost }) })
    api = (await createPublication(service)).admin
    root = createApi(service.url)
  })
  // A connection of its own: the others may all be waiting for their answers.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  after(() => {
    agent.destroy()
    return service.stop()
  })

  const askAlive = async (): Promise<void> => {
    const [response] = (await once(request(`${service.url}/health/live`, { agent }).end(), 'response')) as [
      IncomingMessage,
    ]
    expect(response.statusCode).to.equal(200)
    await once(response.resume(), 'end')
  }

  /** Asks whether the service lives, again and again, until the work is done. */
  const aliveDuring = async (work: Promise<unknown>): Promise<Count> => {
    const progress = { done: false }
    const finished = work.finally(() => {
      progress.done = true
    })
    let answers = 0
    let mostTurns = 0
    while (!progress.done) {
      mostTurns = Math.max(mostTurns, await turnsOf(askAlive()))
      answers += 1
    }
    await finished
    return { answers, mostTurns }
  }

  it('answers while a hundred wrong secrets are tried', async () => {
    const attempt = (): Promise<Answer> =>
      root.send('POST', '/oauth/token', {
        body: `grant_type=client_credentials&api_key=${randomUUID()}&api_secret=wrong-${randomUUID()}`,
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      })
    const attempts = Promise.all(Array.from({ length: 100 }, attempt))
    const { answers, mostTurns } = await aliveDuring(attempts)
    for (const { status } of await attempts) expect(status).to.be.oneOf([401, 429])
    expect(answers, 'answers in the meantime').to.be.above(20)
    expect(mostTurns).to.be.below(turnLimit)
  })

  it('answers while a picture of 12 megapixels is scaled', async () => {
    const { download } = await storeFile(api, { filename: 'large.png', data: pngOf(4000, 3000) })
    const scaling = api.get(`${download}?w=400`)
    const { answers, mostTurns } = await aliveDuring(scaling)
    expect(pngSize(expectOk(await scaling).bytes)).to.deep.equal({ width: 400, height: 300 })
    expect(answers, 'answers in the meantime').to.be.above(10)
    expect(mostTurns).to.be.below(turnLimit)
  })

  /** How long a turn of the loop takes at most, in yardsticks, at the best of some attempts. */
  const longestTurn = async (work: () => Promise<unknown>): Promise<number> => {
    const longest: number[] = []
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const progress = { done: false, longest: 0 }
      const finished = work().finally(() => {
        progress.done = true
      })
      for (let last = timeHad(); !progress.done;) {
        await nextTurn()
        const now = timeHad()
        progress.longest = Math.max(progress.longest, now - last)
        last = now
      }
      await finished
      longest.push(progress.longest / yardstick())
    }
    return Math.min(...longest)
  }

  const paragraphs = '<p>A <em>word</em> and <a href="https://example.org/">a link</a>, and more words.</p>'
  const megabyte = (part: string): string => part.repeat(Math.floor(1_000_000 / part.length))

  it('is held up for a moment at most by a body of a megabyte', async () => {
    const body = { content_type: 'article', title: 'Long', content: megabyte(paragraphs) }
    const write = (): Promise<Answer> =>
      api.put(`/content/${randomUUID()}`, { ...body, urlname: randomUUID() })
    expectOk(await write())
    expect(await longestTurn(write)).to.be.below(yardsticks)
  })

  it('is held up for a moment at most by a body of a megabyte that is wrong all over', async () => {
    const bodies = [
      megabyte('{"a":['),
      `{"title":"${megabyte('\\u00')}"}`,
      `{${megabyte('"a":1,')}"a":1}`,
      JSON.stringify({ content_type: 'article', title: 'T', urlname: 'u', content: megabyte('<p><b></p>') }),
      JSON.stringify({ content_type: 'article', title: 'T', urlname: 'u', content: megabyte('<p>&x;') }),
    ]
    const headers = { 'Content-Type': 'application/json' }
    for (const body of bodies) {
      const write = (): Promise<Answer> => api.send('POST', '/content', { body, headers })
      expect((await write()).status).to.equal(400)
      expect(await longestTurn(write), body.slice(0, 100)).to.be.below(yardsticks)
    }
  })
})
