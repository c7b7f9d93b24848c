import { Agent, createServer } from 'node:http'
import { describe, it } from 'mocha'
import { expect } from 'chai'
import { exchange, type Answer } from './exchange.js'
import { judgeUnchanged } from './judge-answer.js'
import type { LoadDriver, LoadResult } from './load-driver.js'
import { WrongAnswer } from './measure-load.js'
import { measureRow, type RowResult } from './measure-row.js'
import type { Row } from './rows.js'
import type { Floor, FloorName } from './served.js'

const counted: LoadResult = {
  requests: 100,
  seconds: 1,
  latency: { median: 1, p99: 2 },
  wrong: 0,
  firstWrong: null,
  broken: 0,
}

const row: Row = {
  name: 'unchanged',
  title: 'a row',
  target: null,
  traffic: { method: 'GET', path: '/', headers: {}, body: null, turns: [] },
  spread: null,
  judge: judgeUnchanged,
}

/** A row measured on a service that gives these statuses, one after the other and the last one on and on. */
const measured = async (
  statuses: readonly number[],
  result: Partial<LoadResult> = {},
  rest: Partial<Row> = {},
): Promise<RowResult | WrongAnswer> => {
  let answered = 0
  const server = createServer((_request, response) => {
    const status = statuses[Math.min(answered, statuses.length - 1)] ?? 304
    answered += 1
    response.writeHead(status).end()
  })
  const bare = createServer((_request, response) => response.writeHead(304).end())
  const listening = await Promise.all(
    [server, bare].map(
      (each) =>
        new Promise<string>((resolve) => {
          each.listen(0, '127.0.0.1', () => {
            const address = each.address()
            resolve(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`)
          })
        }),
    ),
  )
  const [url = '', bareUrl = ''] = listening
  const stop = async (): Promise<void> => {}
  const driver: LoadDriver = {
    name: 'wrk',
    version: '',
    run: async (load) => ({ ...counted, requests: load.url === url ? 40 : 100, ...result }),
  }
  const floor = (name: FloorName): Floor => ({
    name,
    url: bareUrl,
    pid: process.pid,
    startSeconds: 0,
    stop,
    answerWith: async () => {},
  })
  const agent = new Agent({ keepAlive: true })
  try {
    return await measureRow(
      {
        service: { name: 'service', url, pid: process.pid, startSeconds: 0, stop },
        floors: [floor('node:http'), floor('Koa')],
        driver,
        agent,
        read: (path): Promise<Answer> =>
          exchange(url, { method: 'GET', path, headers: {}, body: null }, agent),
        connections: 1,
        rounds: 3,
        seconds: 1,
        nextSerial: (count) => count,
        progress: () => {},
      },
      { ...row, ...rest },
    )
  } catch (error) {
    if (error instanceof WrongAnswer) return error
    throw error
  } finally {
    agent.destroy()
    for (const each of [server, bare]) {
      each.closeAllConnections()
      each.close()
    }
  }
}

describe('measureRow', function () {
  this.timeout(30_000)

  it('gives the ratios of rounds whose answers are all right', async () => {
    const result = await measured([304])
    expect(result).to.deep.include({
      ratios: {
        'node:http': { least: 0.4, median: 0.4, most: 0.4 },
        Koa: { least: 0.4, median: 0.4, most: 0.4 },
      },
    })
  })

  it('rejects where the first answer, or one behind it, is not right', async () => {
    expect(await measured([500])).to.be.instanceOf(WrongAnswer)
    const later = await measured([304, 304, 304, 304, 304, 304, 304, 500])
    expect(later).to.be.instanceOf(WrongAnswer).and.to.have.property('message').that.contains('status 500')
  })

  it('rejects where the driver met a wrong answer, a broken request, or none at all', async () => {
    expect(await measured([304], { wrong: 1, firstWrong: 'status 404' }))
      .to.have.property('message')
      .that.contains('status 404')
    expect(await measured([304], { broken: 2 }))
      .to.have.property('message')
      .that.contains('2 requests had no answer')
    expect(await measured([304], { requests: 0 }))
      .to.have.property('message')
      .that.contains('no request was answered')
  })

  it('rejects where less is there than was acknowledged', async () => {
    let there = 0
    const grows = (step: number) => async (): Promise<number> => (there += step)
    expect(await measured([304], {}, { count: grows(40) })).not.to.be.instanceOf(WrongAnswer)
    const lost = await measured([304], {}, { count: grows(39) })
    expect(lost).to.have.property('message').that.contains('40 were acknowledged, 39 are there')
  })
})
