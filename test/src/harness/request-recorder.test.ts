import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as elapse } from 'node:timers/promises'
import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { requestRecorder } from './request-recorder.js'

describe('the recorder of requests', () => {
  const recorder = requestRecorder<string>()
  let server: Server
  let background: NodeJS.Timeout
  let times: number
  beforeEach(async () => {
    times = 0
    background = setInterval(() => {
      times += 1
      recorder.record('the background')
    }, 1)
    // Each request has more to do after its response.
    server = createServer(async ({ url = '' }, response) => {
      recorder.record(`${url} begins`)
      await elapse(5)
      response.end()
      await elapse(20)
      recorder.record(`${url} ends`)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterEach(() => {
    clearInterval(background)
    server.closeAllConnections()
    server.close()
  })

  const get = async (path: string): Promise<void> => {
    await (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`)).text()
  }

  it('has what a request does, nothing of the background, and nothing of an earlier request that has more to do', async () => {
    await get('/earlier')
    const before = times
    const recorded = await recorder.during(async () => {
      await get('/first')
      await get('/second')
      await elapse(60)
    })
    expect(times).to.be.greaterThan(before)
    expect(recorded).to.have.members(['/first begins', '/first ends', '/second begins', '/second ends'])
  })

  it('has nothing of what is done when nothing is recorded', async () => {
    await get('/before')
    expect(await recorder.during(() => elapse(40))).to.deep.equal([])
  })
})
