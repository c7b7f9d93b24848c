/**
 * Simulated power cuts. A library that is preloaded into a process (power-cut.c) records all changes of a folder and
 * their synchronizations. The folder is then rebuilt from the record as a power cut at its end could leave it:
 *
 * - Data that was written to a file before its last synchronization began exists. Any part of later data exists.
 * - Changes of directory entries before the last synchronization of the directory began exist. Of later changes, the
 *   first ones exist, up to any of them. A rename is in both directories or in none.
 *
 * ext4 and xfs guarantee more: their journals preserve the order of changes across directories.
 */
import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { copyFile, cp, lstat, mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Random } from '../durability/random.js'

const run = promisify(execFile)

const source = fileURLToPath(new URL('../../src/chaos/power-cut.c', import.meta.url))

/** Which synchronizations the simulated disk ignores. */
export type Ignored = 'all' | 'files' | 'directories'

let library: Promise<string> | null = null

/** Compiles the library once per process. Rejects with what is missing. */
const compileLibrary = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'power-cut-library-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'power-cut.so')
  try {
    await run('cc', ['-shared', '-fPIC', '-O2', '-o', path, source, '-ldl', '-pthread'])
  } catch (cause) {
    throw new Error(
      'Simulated power cuts require Linux and a C compiler, `cc` (Debian: apt-get install gcc libc6-dev)',
      { cause },
    )
  }
  return path
}

type Write = { readonly at: number; readonly offset: number; readonly data: Buffer }
type Truncation = { readonly at: number; readonly length: number }
type FileChange = Write | Truncation

const newFile = (before: string | null) => ({
  kind: 'file' as const,
  /** A copy of the file from the beginning of the recording; null if the file is newer. */
  before,
  changes: [] as FileChange[],
  synchronized: 0,
  isMapped: false,
})
type File = ReturnType<typeof newFile>

type Directory = {
  readonly kind: 'directory'
  readonly before: ReadonlyMap<string, Node>
  readonly changes: { readonly at: number; readonly name: string; readonly node: Node | null }[]
  synchronized: number
  /** The entries after all changes. */
  readonly now: Map<string, Node>
}

type Node = File | Directory

const newDirectory = (before: ReadonlyMap<string, Node> = new Map()): Directory => ({
  kind: 'directory',
  before,
  changes: [],
  synchronized: 0,
  now: new Map(before),
})

/** Adds the nodes of a folder by their inodes. `copy` is a copy of the folder. */
const readTree = async (folder: string, copy: string, nodes: Map<string, Node>): Promise<Directory> => {
  const entries = new Map<string, Node>()
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const [path, copied] = [join(folder, entry.name), join(copy, entry.name)]
    const node = entry.isDirectory() ? await readTree(path, copied, nodes) : newFile(copied)
    if (node.kind === 'file') nodes.set(String((await lstat(path, { bigint: true })).ino), node)
    entries.set(entry.name, node)
  }
  const directory = newDirectory(entries)
  nodes.set(String((await lstat(folder, { bigint: true })).ino), directory)
  return directory
}

/** The kinds of records, in the order of power-cut.c. */
const kinds = [
  '',
  'create',
  'directory',
  'write',
  'truncate',
  'rename',
  'remove',
  'link',
  'sync',
  'mapped',
  'unsupported',
] as const

const headBytes = 40

/** The records of a log. The last one is ignored if the process ended while it wrote it. */
function* recordsIn(log: Buffer) {
  for (let at = 0, end = 0; at + headBytes <= log.length; at = end) {
    const [kind, inode, number, firstLength, secondLength] = new BigUint64Array(
      Uint8Array.from(log.subarray(at, at + headBytes)).buffer,
    )
    const firstEnd = at + headBytes + Number(firstLength)
    end = firstEnd + Number(secondLength)
    if (end > log.length) return
    yield {
      at,
      kind: kinds[Number(kind)],
      inode: String(inode),
      number: Number(number),
      first: log.toString('utf8', at + headBytes, firstEnd),
      second: log.subarray(firstEnd, end),
    }
  }
}

/** Applies the record of a folder to its nodes. */
const replay = (log: Buffer, folder: string, root: Directory, nodes: Map<string, Node>): void => {
  const nodeAt = (path: string): Node => {
    let current: Node = root
    for (const name of relative(folder, path).split('/')) {
      if (name === '') continue
      const next: Node | undefined = current.kind === 'directory' ? current.now.get(name) : undefined
      if (next === undefined) throw new Error(`the record contains no creation of ${path}`)
      current = next
    }
    return current
  }
  const setEntry = (at: number, path: string, node: Node | null): void => {
    const directory = nodeAt(dirname(path))
    if (directory.kind === 'file') throw new Error(`${path} is not in a directory`)
    const name = basename(path)
    directory.changes.push({ at, name, node })
    if (node === null) directory.now.delete(name)
    else directory.now.set(name, node)
  }
  const fileOf = (inode: string): File => {
    const node = nodes.get(inode)
    if (node?.kind !== 'file') throw new Error(`the record changes inode ${inode}, which is not a file`)
    return node
  }
  for (const { at, kind, inode, number, first, second } of recordsIn(log))
    switch (kind) {
      case 'create':
      case 'directory': {
        const node = kind === 'create' ? newFile(null) : newDirectory()
        nodes.set(inode, node)
        setEntry(at, first, node)
        break
      }
      case 'write':
        fileOf(inode).changes.push({ at, offset: number, data: second })
        break
      case 'truncate':
        fileOf(inode).changes.push({ at, length: number })
        break
      case 'rename':
      case 'link': {
        const node = nodeAt(first)
        if (kind === 'rename') setEntry(at, first, null)
        setEntry(at, second.toString('utf8'), node)
        break
      }
      case 'remove':
        setEntry(at, first, null)
        break
      case 'sync': {
        const node = nodes.get(inode)
        if (node !== undefined) node.synchronized = Math.max(node.synchronized, number)
        break
      }
      case 'mapped':
        fileOf(inode).isMapped = true
        break
      default:
        throw new Error(`a power cut cannot be simulated after this operation: ${first}`)
    }
}

const addDirectories = (directory: Directory, found: Set<Directory>): ReadonlySet<Directory> => {
  if (found.has(directory)) return found
  found.add(directory)
  for (const node of [...directory.before.values(), ...directory.changes.map((change) => change.node)])
    if (node?.kind === 'directory') addDirectories(node, found)
  return found
}

/** The number of changes of each directory that exist: the synchronized ones, and a rename in both or in none. */
const chooseCuts = (root: Directory, random: Random): ReadonlyMap<Directory, number> => {
  const cuts = new Map<Directory, number>()
  for (const directory of addDirectories(root, new Set())) {
    const { changes, synchronized } = directory
    const durable = changes.filter(({ at }) => at < synchronized).length
    const later = changes.length - durable
    const choice = random.below(3)
    cuts.set(directory, durable + (choice === 0 ? 0 : choice === 1 ? later : random.below(later + 1)))
  }
  for (let isChanged = true; isChanged;) {
    isChanged = false
    const existing = new Set(
      [...cuts].flatMap(([{ changes }, cut]) => changes.slice(0, cut).map(({ at }) => at)),
    )
    for (const [directory, cut] of cuts) {
      const last = directory.changes.findLastIndex(({ at }) => existing.has(at)) + 1
      if (last <= cut) continue
      cuts.set(directory, last)
      isChanged = true
    }
  }
  return cuts
}

const pageBytes = 4096
const sectorBytes = 512

/** A random selection of the pages of a write, because a disk writes them independently. */
const somePages = (change: FileChange, random: Random): readonly FileChange[] => {
  if ('length' in change) return [change]
  const { at, offset, data } = change
  const parts: FileChange[] = []
  for (let from = 0, to = 0; from < data.length; from = to) {
    to = Math.min(data.length, from + pageBytes - ((offset + from) % pageBytes))
    if (random.below(2) === 0) parts.push({ at, offset: offset + from, data: data.subarray(from, to) })
  }
  return parts
}

/** The first sectors of a write. */
const firstSectors = (change: FileChange, random: Random): FileChange => {
  if ('length' in change) return change
  const sectors = random.below(Math.ceil(change.data.length / sectorBytes))
  return { ...change, data: change.data.subarray(0, sectors * sectorBytes) }
}

/** The changes of a file that exist after a power cut: the synchronized ones, and none, all or a part of the others. */
const survivingChanges = ({ changes, synchronized }: File, random: Random): readonly FileChange[] => {
  const durable = changes.filter(({ at }) => at < synchronized)
  const later = changes.filter(({ at }) => at >= synchronized)
  switch (random.below(4)) {
    case 0:
      return durable
    case 1:
      return changes
    case 2:
      return [...durable, ...later.flatMap((change) => somePages(change, random))]
    default: {
      const whole = random.below(later.length + 1)
      const torn = later.slice(whole, whole + 1).map((change) => firstSectors(change, random))
      return [...durable, ...later.slice(0, whole), ...torn]
    }
  }
}

const rebuildFile = async (
  path: string,
  { before, isMapped }: File,
  changes: readonly FileChange[],
): Promise<void> => {
  // Shared memory ends with its processes, so the content of its file is irrelevant.
  if (isMapped && !path.endsWith('-shm'))
    throw new Error(`a power cut cannot be simulated for the mapped file ${path}`)
  if (before === null) await writeFile(path, '', { mode: 0o600 })
  else await copyFile(before, path)
  if (changes.length === 0 || isMapped) return
  const file = await open(path, 'r+')
  try {
    for (const change of changes)
      if ('length' in change) await file.truncate(change.length)
      else await file.write(change.data, 0, change.data.length, change.offset)
  } finally {
    await file.close()
  }
}

/** Writes a directory with this number of its changes, and its files with these changes. */
const rebuild = async (
  path: string,
  directory: Directory,
  cutOf: (directory: Directory) => number,
  changesOf: (file: File) => readonly FileChange[],
): Promise<void> => {
  await mkdir(path, { recursive: true, mode: 0o700 })
  const entries = new Map(directory.before)
  for (const { name, node } of directory.changes.slice(0, cutOf(directory)))
    if (node === null) entries.delete(name)
    else entries.set(name, node)
  for (const [name, node] of entries)
    await (node.kind === 'directory'
      ? rebuild(join(path, name), node, cutOf, changesOf)
      : rebuildFile(join(path, name), node, changesOf(node)))
}

/** Starts to record a folder that no process uses. Its current content counts as synchronized. */
export const recordFolder = async (folder: string, ignored?: Ignored) => {
  library ??= compileLibrary()
  const LD_PRELOAD = await library
  const work = await mkdtemp(join(tmpdir(), 'power-cut-'))
  const [copy, log, rebuilt] = [join(work, 'before'), join(work, 'record'), join(work, 'rebuilt')]
  await cp(folder, copy, { recursive: true, preserveTimestamps: true })
  await writeFile(log, '')
  const nodes = new Map<string, Node>()
  const root = await readTree(folder, copy, nodes)
  return {
    /** The environment of the process to record. */
    environment: {
      LD_PRELOAD,
      POWER_CUT_FOLDER: folder,
      POWER_CUT_LOG: log,
      // The library does not see writes through io_uring.
      UV_USE_IO_URING: '0',
      ...(ignored === undefined ? {} : { POWER_CUT_IGNORE: ignored }),
    },
    /** Replaces the folder by what a power cut could leave. The recorded process must have ended. */
    cutPower: async (random: Random): Promise<void> => {
      replay(await readFile(log), folder, root, nodes)
      const cuts = chooseCuts(root, random)
      await rebuild(
        rebuilt,
        root,
        (directory) => cuts.get(directory) ?? 0,
        (file) => survivingChanges(file, random),
      )
      await rm(folder, { recursive: true, force: true })
      await cp(rebuilt, folder, { recursive: true, preserveTimestamps: true })
    },
    /** Rebuilds the folder with all changes and rejects if the result differs from the folder. */
    expectComplete: async (): Promise<void> => {
      replay(await readFile(log), folder, root, nodes)
      await rebuild(
        rebuilt,
        root,
        ({ changes }) => changes.length,
        ({ changes }) => changes,
      )
      await run('diff', ['--recursive', '--brief', '--exclude=*-shm', rebuilt, folder])
    },
    remove: () => rm(work, { recursive: true, force: true }),
  }
}
