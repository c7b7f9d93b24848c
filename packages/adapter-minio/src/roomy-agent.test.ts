import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { areBodiesCopied } from './copied-bodies.js'
import { RoomyAgent } from './roomy-agent.js'

/** Bytes of a body, no two parts of it alike. */
const size = 8_000_003
const data = Buffer.alloc(size)
for (let at = 0; at + 4 <= size; at += 4) data.writeUInt32LE(Math.imul(at, 2_654_435_761) >>> 0, at)

const digestOf = (parts: readonly Buffer[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

describe('connections with room of their own', () => {
  const server = http.createServer((_request, response) => response.end(data))
  before(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
  })
  after(() => server.close())

  const download = async (agent: http.Agent): Promise<readonly Buffer[]> => {
    const { port } = server.address() as AddressInfo
    const request = http.get({ host: '127.0.0.1', port, agent })
    const [response] = (await once(request, 'response')) as [http.IncomingMessage]
    const parts: Buffer[] = []
    for await (const part of response) parts.push(part as Buffer)
    return parts
  }

  for (const [name, copied] of [
    ['is read into again', areBodiesCopied()],
    ['is new for each read', Promise.resolve(false)],
  ] as const)
    it(`bodies stay as they were, where room ${name}`, async () => {
      const agent = new RoomyAgent({ keepAlive: true, maxSockets: 1 }, copied)
      await copied
      try {
        // All that the first one brought is still held while the second comes over the same connection.
        const first = await download(agent)
        const second = await download(agent)
        expect(digestOf(first)).to.equal(digestOf([data]))
        expect(digestOf(second)).to.equal(digestOf([data]))
      } finally {
        agent.destroy()
      }
    })

  it('room may be read into again with this Node', async () => {
    expect(await areBodiesCopied()).to.equal(true)
  })
})
