import { execFile } from 'node:child_process'
import { fstat } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import type { TaskEither } from '@publishing-service/domain'
import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { fileOf } from './blob-path.js'
import { fileFailure } from './file-failure.js'
import { filesystemBlobStore } from './filesystem-blob-store.js'

const run = promisify(execFile)
const fstated = promisify(fstat)
const program = fileURLToPath(new URL('test-processes/limited-writer.js', import.meta.url))
const enough = 10_000_000

async function* zeros(bytes: number): AsyncGenerator<Uint8Array> {
  for (let given = 0; given < bytes; given += 64 * 1024)
    yield new Uint8Array(Math.min(64 * 1024, bytes - given))
}

/** The reason of a PortFailure, null for success. */
const reasonOf = async (task: TaskEither<{ readonly _tag: string; readonly reason?: string }, unknown>) => {
  const outcome = await task()
  if (outcome._tag === 'Right') return null
  expect(outcome.left).to.include({ _tag: 'PortFailure', part: 'blob store' })
  return outcome.left.reason ?? ''
}

/** Runs the program under a limit of the shell's `ulimit`. */
const runLimited = async (limit: string, directory: string, what: string) => {
  const shell = `ulimit ${limit} && exec "$0" "$@"`
  const { stdout } = await run('sh', ['-c', shell, process.execPath, program, directory, what])
  return JSON.parse(stdout) as {
    readonly reasons: readonly (string | null)[]
    readonly keys: readonly string[]
  }
}

describe('filesystem blob store: a disk that fails', function () {
  this.timeout(30_000)
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'blobs-'))
  })
  afterEach(() => rm(directory, { recursive: true }))
  const incoming = () => readdir(join(directory, 'incoming'))

  /** 2 MiB in all for one file. */
  const limitedInSize = async () => {
    const { reasons, keys } = await runLimited('-f 4096', directory, 'size')
    expect(reasons[0]).to.equal(null)
    expect(reasons[1]).to.include('PortFailure').and.to.include('EFBIG')
    expect(reasons[2]).to.equal(null)
    expect(keys).to.deep.equal(['kept/small 200000'])
    expect(await incoming()).to.deep.equal([])
  }

  it('a limit on the size of files fails the write, and nothing of it is kept', limitedInSize)

  it('a full disk fails the write, nothing of it is kept, and what fits is still taken', async () => {
    try {
      await run('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', directory])
    } catch {
      // Who may not mount gets the limit in its place, which fails the same write.
      return limitedInSize()
    }
    try {
      const store = await filesystemBlobStore({ directory })
      expect(await reasonOf(store.write('kept/small', zeros(100_000), enough))).to.equal(null)
      for (const key of ['kept/large', 'kept/small']) {
        expect(await reasonOf(store.write(key, zeros(5_000_000), enough))).to.include('ENOSPC')
        expect(await incoming()).to.deep.equal([])
      }
      expect(await store.size('kept/small')()).to.deep.include({ right: 100_000 })
      expect(await store.size('kept/large')()).to.deep.include({ right: null })
      expect(await reasonOf(store.write('kept/small', zeros(200_000), enough))).to.equal(null)
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

  it('too many open files fail each use, and the store goes on when some are closed', async () => {
    const { reasons, keys } = await runLimited('-n 512', directory, 'descriptors')
    expect(reasons[0]).to.equal(null)
    for (const reason of reasons.slice(1, 5))
      expect(reason).to.include('PortFailure').and.to.include('EMFILE')
    expect(reasons.slice(5)).to.deep.equal([null])
    expect(keys).to.deep.equal(['kept/large 5000000', 'kept/small 100000'])
  })

  it('missing rights fail the write and the check, and reading goes on', async () => {
    const store = await filesystemBlobStore({ directory })
    expect(await reasonOf(store.write('kept/small', zeros(1000), enough))).to.equal(null)
    for (const folder of ['.', 'blobs/kept']) await chmod(join(directory, folder), 0o755)
    for (const folder of ['incoming', 'blobs']) await chmod(join(directory, folder), 0o555)
    const nobody = 65_534
    const superuser = process.geteuid?.() === 0
    // Rights don't bind the superuser, so that it has to be somebody else for a while.
    if (superuser) process.seteuid?.(nobody)
    try {
      expect(await reasonOf(store.write('kept/other', zeros(1000), enough))).to.include('EACCES')
      expect(await reasonOf(store.check())).to.include('EACCES')
      expect(await store.size('kept/small')()).to.deep.include({ right: 1000 })
    } finally {
      if (superuser) process.seteuid?.(0)
      for (const folder of ['incoming', 'blobs']) await chmod(join(directory, folder), 0o755)
    }
    expect(await reasonOf(store.write('kept/other', zeros(1000), enough))).to.equal(null)
    await store.close()
  })

  it('a disk that fails while a blob is read ends the reading with a failure', async () => {
    const store = await filesystemBlobStore({ directory })
    expect(await reasonOf(store.write('kept/small', zeros(1000), enough))).to.equal(null)
    const path = fileOf(join(directory, 'blobs'), 'kept/small')
    await rm(path)
    // It can be opened like a file, and the system fails to read from it.
    await mkdir(path)
    const opened = await store.read('kept/small')()
    if (opened._tag === 'Left') throw new Error(opened.left._tag)
    const reading = opened.right.chunks[Symbol.asyncIterator]()
    const failure: unknown = await reading.next().catch((error: unknown) => error)
    expect(failure).to.include({ _tag: 'PortFailure', part: 'blob store' })
    expect(failure).to.have.property('reason').that.includes('EISDIR')
    expect(await reading.next()).to.include({ done: true })
    await store.close()
  })

  it('a read that is ended before its first chunk closes its file', async () => {
    const store = await filesystemBlobStore({ directory })
    expect(await reasonOf(store.write('kept/small', zeros(1000), enough))).to.equal(null)
    const inode = (await stat(fileOf(join(directory, 'blobs'), 'kept/small'))).ino
    const isOpen = async (): Promise<boolean> => {
      const found = await Promise.all(
        Array.from({ length: 256 }, (_, descriptor) => fstated(descriptor).catch(() => null)),
      )
      return found.some((each) => each?.ino === inode)
    }
    // As a server does whose client has hung up meanwhile.
    const opened = await store.read('kept/small')()
    if (opened._tag === 'Left') throw new Error(opened.left._tag)
    expect(await isOpen()).to.equal(true)
    Readable.from(opened.right.chunks, { objectMode: false }).destroy()
    while (await isOpen()) await new Promise((resolve) => setImmediate(resolve))
    await store.close()
  })

  it('a disk that has gone away is a failure, not a store without blobs', async () => {
    const store = await filesystemBlobStore({ directory })
    expect(await reasonOf(store.write('kept/small', zeros(1000), enough))).to.equal(null)
    await rename(join(directory, 'blobs'), join(directory, 'elsewhere'))
    for (const use of [
      store.read('kept/small'),
      store.size('kept/small'),
      store.remove('kept'),
      store.check(),
    ]) {
      expect(await reasonOf(use)).to.include('ENOENT')
    }
    const listing = store.list('')[Symbol.asyncIterator]()
    expect(await listing.next().catch((failure: unknown) => failure)).to.include({ _tag: 'PortFailure' })
    await rename(join(directory, 'elsewhere'), join(directory, 'blobs'))
    expect(await store.size('kept/small')()).to.deep.include({ right: 1000 })
    await store.close()
  })

  it('a use after closing fails, and closing waits for the writes under way', async () => {
    const store = await filesystemBlobStore({ directory })
    let closing: Promise<number> | undefined
    async function* closer(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(500_000)
      closing = store
        .close()
        .then(async () => (await readFile(join(directory, 'blobs', 'kept', 'last@'))).length)
      yield new Uint8Array(500_000)
    }
    expect(await reasonOf(store.write('kept/last', closer(), enough))).to.equal(null)
    expect(await closing, 'bytes in place when it had closed').to.equal(1_000_000)
    expect(await reasonOf(store.write('kept/later', zeros(1), enough))).to.include('closed')
  })
})

describe('errors of the file system', () => {
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
    it(`${code} is a failure of the port`, () => {
      expect(fileFailure(systemError(code))).to.deep.equal({
        _tag: 'PortFailure',
        part: 'blob store',
        reason: `Error: ${code}: write`,
        ...(code === 'ENOSPC' || code === 'EDQUOT' ? { storageFull: true } : {}),
      })
    })
  }
  for (const error of [systemError('EBADF'), systemError('EINVAL'), new TypeError('not a key'), 'a text']) {
    it(`${String(error)} is a defect and stays one`, () => {
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
