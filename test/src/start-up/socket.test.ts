/** A service that listens on a socket of the file system, as behind a proxy on the same machine. */
import { existsSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { copyFirstData } from '../harness/start-test-service.js'
import { expectFailure, runService, withDirectory, type Environment, type Program } from './program.js'

const get = (socketPath: string, path: string): Promise<{ readonly status: number; readonly body: string }> =>
  new Promise((resolve, reject) => {
    const outgoing = request({ socketPath, path }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject)
    })
    outgoing.once('error', reject)
    outgoing.end()
  })

describe('HOST as the path of a socket', function () {
  this.timeout(30_000)

  const withSocket = (work: (path: string, environment: Environment) => Promise<void>): Promise<void> =>
    withDirectory(async (directory) => {
      const DATA_DIR = join(directory, 'data')
      await copyFirstData(DATA_DIR)
      const path = join(directory, 'service.sock')
      await work(path, { DATA_DIR, HOST: path })
    })

  const launch = async (environment: Environment): Promise<Program> => {
    const program = runService(environment)
    await program.printed(/listens on the socket \S+\n/)
    return program
  }

  it('serves its owner and group there, refuses a second service, and leaves no file', () =>
    withSocket(async (path, environment) => {
      const service = await launch(environment)
      expect((await stat(path)).mode & 0o777).to.equal(0o660)
      const { status, body } = await get(path, '/health/ready')
      expect([status, body.includes('"ready"')]).to.deep.equal([200, true])
      expectFailure(
        await runService(environment).ended,
        69,
        /HOST, \S+service\.sock, is in use: stop the service that listens there/,
      )
      expect((await get(path, '/health/live')).status).to.equal(200)
      service.signal('SIGTERM')
      expect((await service.ended).code).to.equal(0)
      expect(existsSync(path)).to.equal(false)
    }))

  it('replaces the socket of a process that was killed', () =>
    withSocket(async (path, environment) => {
      const killed = await launch(environment)
      killed.signal('SIGKILL')
      await killed.ended
      expect(existsSync(path)).to.equal(true)
      const service = await launch(environment)
      expect((await get(path, '/health/live')).status).to.equal(200)
      service.signal('SIGINT')
      await service.ended
    }))

  it('replaces no other file, and names a folder that is missing', () =>
    withSocket(async (path, environment) => {
      await writeFile(path, 'mine')
      expectFailure(await runService(environment).ended, 69, /HOST, \S+service\.sock, is in use/)
      expect(await readFile(path, 'utf8')).to.equal('mine')
      expectFailure(
        await runService({ ...environment, HOST: `${path}-folder/service.sock` }).ended,
        69,
        /HOST, \S+, can’t be made: its folder must exist/,
      )
    }))
})
