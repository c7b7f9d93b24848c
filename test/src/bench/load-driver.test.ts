import { createServer, type RequestListener } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'mocha'
import { expect } from 'chai'
import { autocannonDriver } from './autocannon-driver.js'
import { wrkVersion, type LoadDriver, type LoadResult } from './load-driver.js'
import type { Traffic } from './traffic.js'
import { wrkDriver } from './wrk-driver.js'

const body = Buffer.from('{"title":"Caf\\u00e9"}')
const right: RequestListener = (_request, response) => {
  response.writeHead(200, { 'Content-Length': body.length }).end(body)
}

const constant: Traffic = {
  method: 'GET',
  path: '/one',
  headers: { Authorization: 'Bearer "a\\b"' },
  body: null,
  turns: [],
}
const changing: Traffic = {
  method: 'PATCH',
  path: '/objects/{turn}',
  headers: { 'Content-Type': 'application/json' },
  body: '{"title":"é {serial}"}',
  turns: ['a', 'bcd', 'e'],
}

const withServer = async <A>(listener: RequestListener, use: (url: string) => Promise<A>): Promise<A> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  try {
    return await use(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => {
      server.close(resolve)
    })
  }
}

const drive = (driver: LoadDriver, listener: RequestListener, traffic: Traffic): Promise<LoadResult> => {
  const expected = { status: 200, leastBytes: body.length, mostBytes: body.length, body }
  return withServer(listener, (url) =>
    driver.run({ url, traffic, expected, firstSerial: 5000, connections: 4, seconds: 0.3 }),
  )
}

/** autocannon comes with the project; wrk is looked at where the machine has it. */
const withDrivers = async (use: (driver: LoadDriver) => Promise<void>): Promise<void> => {
  await use(autocannonDriver('', []))
  const version = wrkVersion()
  if (version === null) return
  const directory = await mkdtemp(join(tmpdir(), 'publishing-bench-driver-'))
  try {
    await use(wrkDriver(version, directory, []))
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

describe('load drivers', function () {
  this.timeout(60_000)

  it('count answers that are as expected', () =>
    withDrivers(async (driver) => {
      const { requests, wrong, broken, seconds } = await drive(driver, right, constant)
      expect(requests, driver.name).to.be.greaterThan(0)
      expect({ wrong, broken }, driver.name).to.deep.equal({ wrong: 0, broken: 0 })
      expect(seconds).to.be.within(0.2, 30)
    }))

  it('take another status, another body and another length for wrong, and show the first', () =>
    withDrivers(async (driver) => {
      const another: readonly (readonly [RequestListener, string])[] = [
        [(_request, response) => response.writeHead(201, { 'Content-Length': body.length }).end(body), '201'],
        [(_request, response) => response.end(Buffer.alloc(body.length, 'x')), 'xxx'],
        [(_request, response) => response.end('short'), '200'],
      ]
      for (const [listener, shown] of another) {
        const { requests, wrong, firstWrong } = await drive(driver, listener, constant)
        expect(wrong, driver.name).to.be.within(1, Math.max(requests + 4, 1) * 2)
        expect(firstWrong, driver.name).to.contain(shown)
      }
    }))

  it('send what the traffic says: each serial once, the turns one after the other, whole bodies', () =>
    withDrivers(async (driver) => {
      const seen: string[] = []
      const listener: RequestListener = (request, response) => {
        const chunks: Buffer[] = []
        request.on('data', (chunk: Buffer) => chunks.push(chunk))
        request.once('end', () => {
          seen.push(
            `${request.method} ${request.url} ${request.headers['content-type']} ${Buffer.concat(chunks).toString()}`,
          )
          right(request, response)
        })
      }
      const { wrong } = await drive(driver, listener, changing)
      expect(wrong, driver.name).to.equal(0)
      const serials = seen.map((each) => {
        const [, turn, serial] =
          /^PATCH \/objects\/(a|bcd|e) application\/json \{"title":"é (\d{12})"\}$/.exec(each) ?? []
        expect(turn, each).to.equal(changing.turns[Number(serial) % 3])
        return Number(serial)
      })
      expect(new Set(serials).size).to.equal(serials.length)
      expect(Math.min(...serials)).to.be.at.least(5000)
    }))
})
