import { execFile } from 'node:child_process'
import { fstat } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import type { TaskEither } from '@publishing-service/domain/fp'
import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { fileFailure } from './file-system.js'
import { fileOf, filesystemBlobStore } from './filesystem-blob-store.js'

const run = promisify(execFile)
const fstated = promisify(fstat)
const program = fileURLToPath(new URL('test-processes/limited-writer.js', import.meta.url))
const enough = 10_000_000

async function* zeros(bytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes; at += 64 * 1024) yield new Uint8Array(Math.min(64 * 1024, bytes - at))
}

/** The reason of a PortFailure, null for success. */
const reasonOf = async (task: TaskEither<{ readonly _tag: string; readonly reason?: string }, unknown>) => {
  const outcome = await task()
  if (outcome._tag === 'Right') return null
  expect(outcome.left).to.include({ _tag: 'PortFailure', part: 'blob store' })
  return outcome.left.reason ?? ''
}

/** Runs the program with a limit set by `ulimit`. */
const runLimited = async (limit: string, directory: string, what: string) => {
  const shell = `ulimit ${limit} && exec "$0" "$@"`
  const { stdout } = await run('sh', ['-c', shell, process.execPath, program, directory, what])
  return JSON.parse(stdout) as {
    readonly reasons: readonly (string | null)[]
    readonly keys: readonly string[]
  }
}

describe('filesystemBlobStore on a failing disk', function () {
  this.timeout(30_000)
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'blobs-'))
  })
  afterEach(() => rm(directory, { recursive: true }))
  const incoming = () => readdir(join(directory, 'incoming'))

  /** Files of at most 2 MiB. */
  const limitedInSize = async () => {
    const { reasons, keys } = await runLimited('-f 4096', directory, 'size')
    expect(reasons[0]).to.equal(null)
    expect(reasons[1]).to.include('PortFailure').and.to.include('EFBIG')
    expect(reasons[2]).to.equal(null)
    expect(keys).to.deep.equal(['stored/small 200000'])
    expect(await incoming()).to.deep.equal([])
  }

  it('a limit on the size of files fails the write, and nothing of it is stored', limitedInSize)

  it('a full disk fails the write, nothing of it is stored, and smaller blobs are accepted', async () => {
    try {
      await run('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', directory])
    } catch {
      // Without the right to mount, the limit on the size of files fails the same write.
      return limitedInSize()
    }
    try {
      const store = await filesystemBlobStore({ directory })
      expect(await reasonOf(store.write('stored/small', zeros(100_000), enough))).to.equal(null)
      for (const key of ['stored/large', 'stored/small']) {
        expect(await reasonOf(store.write(key, zeros(5_000_000), enough))).to.include('ENOSPC')
        expect(await incoming()).to.deep.equal([])
      }
      expect(await store.size('stored/small')()).to.deep.include({ right: 100_000 })
      expect(await store.size('stored/large')()).to.deep.include({ right: null })
      expect(await reasonOf(store.write('stored/small', zeros(200_000), enough))).to.equal(null)
      expect(await reasonOf(store.check())).to.equal(null)
      const filled = await writeFile(join(directory, 'filler'), new Uint8Array(3_000_000)).catch(
        (error: unknown) => error,
      )
      expect(filled).to.be.an.instanceOf(Error)
      expect(await reasonOf(store.check())).to.include('ENOSPC')
      await store.close()
    } finally {
      await run('umount', [directory])
    }
  })

  it('too many open files fail each use, and the store works again after some are closed', async () => {
    const { reasons, keys } = await runLimited('-n 512', directory, 'descriptors')
    expect(reasons[0]).to.equal(null)
    for (const reason of reasons.slice(1, 5))
      expect(reason).to.include('PortFailure').and.to.include('EMFILE')
    expect(reasons.slice(5)).to.deep.equal([null])
    expect(keys).to.deep.equal(['stored/large 5000000', 'stored/small 100000'])
  })

  it('missing permissions fail the write and the check, but not a read', async () => {
    const store = await filesystemBlobStore({ directory })
    expect(await reasonOf(store.write('stored/small', zeros(1000), enough))).to.equal(null)
    for (const folder of ['.', 'blobs/stored']) await chmod(join(directory, folder), 0o755)
    for (const folder of ['incoming', 'blobs']) await chmod(join(directory, folder), 0o555)
    const otherUser = 65_534
    const superuser = process.geteuid?.() === 0
    // Permissions do not apply to the superuser, so the process changes its user.
    if (superuser) process.seteuid?.(otherUser)
    try {
      expect(await reasonOf(store.write('stored/other', zeros(1000), enough))).to.include('EACCES')
      expect(await reasonOf(store.check())).to.include('EACCES')
      expect(await store.size('stored/small')()).to.deep.include({ right: 1000 })
    } finally {
      if (superuser) process.seteuid?.(0)
      for (const folder of ['incoming', 'blobs']) await chmod(join(directory, folder), 0o755)
    }
    expect(await reasonOf(store.write('stored/other', zeros(1000), enough))).to.equal(null)
    await store.close()
  })

  it('a disk that fails during a read fails the read', async () => {
    const store = await filesystemBlobStore({ directory })
    expect(await reasonOf(store.write('stored/small', zeros(1000), enough))).to.equal(null)
    const path = fileOf(join(directory, 'blobs'), 'stored/small')
    await rm(path)
    // A directory can be opened like a file, but reading from it fails.
    await mkdir(path)
    const opened = await store.read('stored/small')()
    if (opened._tag === 'Left') throw new Error(opened.left._tag)
    const reading = opened.right.chunks[Symbol.asyncIterator]()
    const failure: unknown = await reading.next().catch((error: unknown) => error)
    expect(failure).to.include({ _tag: 'PortFailure', part: 'blob store' })
    expect(failure).to.have.property('reason').that.includes('EISDIR')
    expect(await reading.next()).to.include({ done: true })
    await store.close()
  })

  it('a read that is cancelled before its first chunk closes its file', async () => {
    const store = await filesystemBlobStore({ directory })
    expect(await reasonOf(store.write('stored/small', zeros(1000), enough))).to.equal(null)
    const inode = (await stat(fileOf(join(directory, 'blobs'), 'stored/small'))).ino
    const isOpen = async (): Promise<boolean> => {
      const found = await Promise.all(
        Array.from({ length: 256 }, (_, descriptor) => fstated(descriptor).catch(() => null)),
      )
      return found.some((each) => each?.ino === inode)
    }
    // Like a server whose client has disconnected.
    const opened = await store.read('stored/small')()
    if (opened._tag === 'Left') throw new Error(opened.left._tag)
    expect(await isOpen()).to.equal(true)
    Readable.from(opened.right.chunks, { objectMode: false }).destroy()
    while (await isOpen()) await new Promise((resolve) => setImmediate(resolve))
    await store.close()
  })

  it('a disk that is no longer mounted is a failure, not an empty store', async () => {
    const store = await filesystemBlobStore({ directory })
    expect(await reasonOf(store.write('stored/small', zeros(1000), enough))).to.equal(null)
    await rename(join(directory, 'blobs'), join(directory, 'elsewhere'))
    for (const use of [
      store.read('stored/small'),
      store.size('stored/small'),
      store.remove('stored'),
      store.check(),
    ]) {
      expect(await reasonOf(use)).to.include('ENOENT')
    }
    const listing = store.list('')[Symbol.asyncIterator]()
    expect(await listing.next().catch((failure: unknown) => failure)).to.include({ _tag: 'PortFailure' })
    await rename(join(directory, 'elsewhere'), join(directory, 'blobs'))
    expect(await store.size('stored/small')()).to.deep.include({ right: 1000 })
    await store.close()
  })

  it('a use after closing fails, and closing waits for running writes', async () => {
    const store = await filesystemBlobStore({ directory })
    let closing: Promise<number> | undefined
    async function* closer(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(500_000)
      closing = store
        .close()
        .then(async () => (await readFile(join(directory, 'blobs', 'stored', 'last@'))).length)
      yield new Uint8Array(500_000)
    }
    expect(await reasonOf(store.write('stored/last', closer(), enough))).to.equal(null)
    expect(await closing, 'bytes stored when it had closed').to.equal(1_000_000)
    expect(await reasonOf(store.write('stored/later', zeros(1), enough))).to.include('closed')
  })
})

describe('fileFailure', () => {
  const systemError = (code: string) =>
    Object.assign(new Error(`${code}: write`), { code, syscall: 'write', errno: -1 })

  for (const code of [
    'ENOSPC',
    'EIO',
    'EACCES',
    'EPERM',
    'EMFILE',
    'ENFILE',
    'EDQUOT',
    'EROFS',
    'EFBIG',
    'ESTALE',
  ]) {
    it(`returns PortFailure for ${code}`, () => {
      expect(fileFailure(systemError(code))).to.deep.equal({
        _tag: 'PortFailure',
        part: 'blob store',
        reason: `Error: ${code}: write`,
        ...(code === 'ENOSPC' || code === 'EDQUOT' ? { storageFull: true } : {}),
      })
    })
  }
  for (const error of [systemError('EBADF'), systemError('EINVAL'), new TypeError('not a key'), 'a text']) {
    it(`rethrows ${String(error)}`, () => {
      let thrown: unknown
      try {
        fileFailure(error)
      } catch (caught) {
        thrown = caught
      }
      expect(thrown).to.equal(error)
    })
  }
})
