import { spawn } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { filesystemBlobStore } from './filesystem-blob-store.js'
import { numberOf } from './test-processes/numbered-body.js'

const program = fileURLToPath(new URL('test-processes/endless-writer.js', import.meta.url))
const kills = 3

/** Starts a writing process, kills it after this many acknowledged writes, and returns these. */
const killedAfter = async (directory: string, first: number, acknowledgements: number) => {
  const child = spawn(process.execPath, [program, directory, String(first)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    if (output.split('\n').length > acknowledgements) child.kill('SIGKILL')
  })
  const signal = await new Promise((resolve) => child.on('close', (_, by) => resolve(by)))
  expect(signal, errors).to.equal('SIGKILL')
  return output
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const [key = '', write = ''] = line.split(' ')
      return { key, write: Number(write) }
    })
}

describe('filesystemBlobStore whose process is killed during a write', function () {
  this.timeout(60_000)
  let directory: string
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'blobs-'))
  })
  after(() => rm(directory, { recursive: true }))

  it(`has every acknowledged blob and nothing partial, ${kills} times`, async () => {
    const acknowledged = new Map<string, number>()
    let temporaryFiles = 0
    for (let round = 0; round < kills; round += 1) {
      const first = round * 100_000
      for (const { key, write } of await killedAfter(directory, first, 1 + ((round * 5) % 23)))
        acknowledged.set(key, write)
      temporaryFiles += (await readdir(join(directory, 'incoming'))).length

      const store = await filesystemBlobStore({ directory })
      expect(
        await readdir(join(directory, 'incoming')),
        'temporary files of the killed process are removed',
      ).to.deep.equal([])
      const found = new Map<string, number>()
      for await (const { key, bytes } of store.list('')) {
        const reading = await store.read(key)()
        if (reading._tag === 'Left') throw new Error(`${key} is listed but cannot be read`)
        const chunks: Uint8Array[] = []
        for await (const chunk of reading.right.chunks) chunks.push(chunk)
        const body = Buffer.concat(chunks)
        expect(body.length).to.equal(bytes)
        const write = numberOf(body)
        if (write === null) throw new Error(`${key} is not complete`)
        found.set(key, write)
      }
      for (const [key, write] of acknowledged) {
        // A later write may be stored but not yet acknowledged.
        expect(found.get(key) ?? -1, key).to.be.at.least(write)
      }
      await store.close()
    }
    expect(acknowledged.size).to.be.above(3)
    expect(temporaryFiles, 'interrupted writes').to.be.above(0)
  })
})
