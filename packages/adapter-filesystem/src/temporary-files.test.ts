import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { filesystemBlobStore } from './filesystem-blob-store.js'
import { temporaryPrefix } from './temporary-files.js'
import { livenessOf, thisProcess, type WritingProcess } from './writing-process.js'

const endedProcess = async (): Promise<number> => {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await new Promise((resolve) => child.on('close', resolve))
  return child.pid ?? 0
}

describe('temporary files', () => {
  let directory: string
  let incoming: string
  let self: WritingProcess
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'blobs-'))
    incoming = join(directory, 'incoming')
    await mkdir(incoming)
    self = await thisProcess()
  })
  afterEach(() => rm(directory, { recursive: true }))

  const survives = async (writer: WritingProcess, lastTouched: Date) => {
    const path = join(incoming, `${temporaryPrefix(writer)}0123456789abcdef`)
    await writeFile(path, 'partial')
    await utimes(path, lastTouched, lastTouched)
    await (await filesystemBlobStore({ directory })).close()
    return (await readdir(incoming)).length === 1
  }
  const longAgo = new Date('2001-01-01T00:00:00Z')
  const elsewhere = { system: '0123456789abcdef', pid: 1, start: 1 }

  it('of this process are not removed, at any age', async () => {
    expect(await survives(self, longAgo)).to.equal(true)
  })
  it('of an earlier process with the same id are removed', async () => {
    expect(await survives({ ...self, start: self.start - 1 }, new Date())).to.equal(false)
  })
  it('of a process that has ended are removed', async () => {
    expect(await survives({ ...self, pid: await endedProcess() }, new Date())).to.equal(false)
  })
  it('of a running process are removed only after it has ended', async () => {
    const script = `import { thisProcess } from ${JSON.stringify(new URL('writing-process.js', import.meta.url).href)}
      console.log(JSON.stringify(await thisProcess()))
      process.stdin.resume()`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const ended = new Promise((resolve) => child.on('close', resolve))
    const output = await new Promise<string>((resolve) =>
      child.stdout.setEncoding('utf8').once('data', resolve),
    )
    const other = JSON.parse(output) as WritingProcess
    expect(other).to.include({ pid: child.pid, system: self.system })
    expect(await survives(other, longAgo)).to.equal(true)
    expect(await livenessOf({ ...other, start: other.start - 1 }, self)).to.equal('dead')
    child.stdin.end()
    await ended
    expect(await survives(other, new Date())).to.equal(false)
  })
  it('of another machine or container are removed after a day', async () => {
    expect(await survives(elsewhere, new Date())).to.equal(true)
    await rm(incoming, { recursive: true })
    await mkdir(incoming)
    expect(await survives(elsewhere, longAgo)).to.equal(false)
  })
  it('of an interrupted removal are removed with their content', async () => {
    const movedAway = join(incoming, `${temporaryPrefix({ ...self, start: self.start - 1 })}0123456789abcdef`)
    await mkdir(join(movedAway, 'deep', 'er'), { recursive: true })
    await writeFile(join(movedAway, 'deep', 'er', 'blob@'), 'bytes')
    await (await filesystemBlobStore({ directory })).close()
    expect(await readdir(incoming)).to.deep.equal([])
  })
  it('do not include files with other names, which are not removed', async () => {
    await writeFile(join(incoming, 'note.txt'), 'mine')
    await (await filesystemBlobStore({ directory })).close()
    expect(await readdir(incoming)).to.deep.equal(['note.txt'])
  })
  it('of a running write are not removed by a second store on the same directory', async () => {
    const store = await filesystemBlobStore({ directory })
    async function* body(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(500_000)
      const other = await filesystemBlobStore({ directory })
      expect((await readdir(incoming)).length).to.equal(1)
      await other.close()
      yield new Uint8Array(500_000)
    }
    expect(await store.write('one/blob', body(), 2_000_000)()).to.deep.nested.include({
      'right.bytes': 1_000_000,
    })
    await store.close()
  })
})
