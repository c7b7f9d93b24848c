/**
 * Power cuts, simulated: a library preloaded into a process (power-cut.c) records every change to a folder and what
 * of it was synchronized. From the record the folder is rebuilt as a power cut at its end could leave it:
 *
 * - What was written to a file before its last synchronization began is there. Of what came after, any part is.
 * - Entries of a directory that changed before its last synchronization began are as they were then. Of the changes
 *   after it, a first part has happened; a rename has happened in both of its directories or in none.
 *
 * That is less than ext4 and xfs promise, whose journal keeps the order of changes across directories too.
 */
import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { copyFile, cp, lstat, mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Random } from '../durability/random.js'
import type { Environment } from '../durability/service-process.js'

const run = promisify(execFile)

const source = fileURLToPath(new URL('../../src/chaos/power-cut.c', import.meta.url))

/** Which synchronizations do nothing, as on a disk that lies about them. */
export type Ignored = 'all' | 'files' | 'directories'

export type Recording = {
  /** What a process is started with whose changes to the folder are recorded. */
  readonly environment: Environment
  /** Replaces the folder by what a power cut would leave of it; the recorded process has ended. */
  readonly cutPower: (random: Random) => Promise<void>
  /** The names of files that a replay of the whole record makes different from what is there. */
  readonly differences: () => Promise<readonly string[]>
  readonly remove: () => Promise<void>
}

/** Compiles the library, once for each process; rejects with what is missing. */
export const powerCutLibrary = (() => {
  let library: Promise<string> | null = null
  const compile = async (): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'power-cut-library-'))
    const path = join(folder, 'power-cut.so')
    try {
      await run('cc', ['-shared', '-fPIC', '-O2', '-o', path, source, '-ldl', '-pthread'])
    } catch (cause) {
      await rm(folder, { recursive: true, force: true })
      throw new Error(
        'Power cuts are simulated on Linux by a library in C, which `cc` must compile (Debian: apt-get install gcc libc6-dev)',
        { cause },
      )
    }
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    return path
  }
  return (): Promise<string> => (library ??= compile())
})()

type FileChange =
  | { readonly at: number; readonly offset: number; readonly data: Buffer }
  | { readonly at: number; readonly length: number }

type File = {
  readonly kind: 'file'
  /** What the file held when the recording began; null where it is newer. */
  readonly before: string | null
  readonly changes: FileChange[]
  synchronized: number
  isMapped: boolean
}

type EntryChange = { readonly at: number; readonly name: string; readonly node: Node | null }

type Directory = {
  readonly kind: 'directory'
  readonly before: Map<string, Node>
  readonly changes: EntryChange[]
  synchronized: number
  /** The entries after all changes. */
  readonly now: Map<string, Node>
}

type Node = File | Directory

const newFile = (before: string | null): File => ({
  kind: 'file',
  before,
  changes: [],
  synchronized: 0,
  isMapped: false,
})

const newDirectory = (before: Map<string, Node> = new Map()): Directory => ({
  kind: 'directory',
  before,
  changes: [],
  synchronized: 0,
  now: new Map(before),
})

/** The nodes of a folder by their inodes; `copy` holds the same as the folder held when the recording began. */
const readTree = async (folder: string, copy: string, nodes: Map<string, Node>): Promise<Directory> => {
  const entries = new Map<string, Node>()
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    const { ino } = await lstat(path, { bigint: true })
    const node = entry.isDirectory()
      ? await readTree(path, join(copy, entry.name), nodes)
      : newFile(join(copy, entry.name))
    if (!entry.isDirectory()) nodes.set(String(ino), node)
    entries.set(entry.name, node)
  }
  const directory = newDirectory(entries)
  nodes.set(String((await lstat(folder, { bigint: true })).ino), directory)
  return directory
}

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

type RecordedChange = {
  readonly at: number
  readonly kind: (typeof kinds)[number]
  readonly inode: string
  readonly one: number
  readonly first: string
  readonly second: Buffer
}

const headBytes = 48

/** The records of a log, in order; one that the end of the process cut short is left out. */
function* recordsIn(log: Buffer): Generator<RecordedChange> {
  let at = 0
  while (at + headBytes <= log.length) {
    const word = (index: number): bigint => log.readBigUInt64LE(at + index * 8)
    const firstEnd = at + headBytes + Number(word(4))
    const end = firstEnd + Number(word(5))
    const kind = kinds[Number(word(0))]
    if (kind === undefined) throw new Error(`the record of the disk is damaged at byte ${at}`)
    if (end > log.length) return
    yield {
      at,
      kind,
      inode: String(word(1)),
      one: Number(word(2)),
      first: log.toString('utf8', at + headBytes, firstEnd),
      second: log.subarray(firstEnd, end),
    }
    at = end
  }
}

/** Applies the record to the nodes: what changed, and what was synchronized. */
const replay = (log: Buffer, folder: string, root: Directory, nodes: Map<string, Node>): void => {
  const directoryAt = (path: string): Directory => {
    let current: Node = root
    for (const name of relative(folder, path)
      .split('/')
      .filter((each) => each !== '')) {
      const next: Node | undefined = current.kind === 'directory' ? current.now.get(name) : undefined
      if (next === undefined) throw new Error(`the record of the disk names ${path}, which it never made`)
      current = next
    }
    if (current.kind === 'file') throw new Error(`${path} is no directory`)
    return current
  }
  const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
  const change = (at: number, path: string, node: Node | null): void => {
    const directory = directoryAt(dirname(path))
    const name = nameIn(path)
    directory.changes.push({ at, name, node })
    if (node === null) directory.now.delete(name)
    else directory.now.set(name, node)
  }
  const nodeAt = (path: string): Node => {
    const node = directoryAt(dirname(path)).now.get(nameIn(path))
    if (node === undefined) throw new Error(`the record of the disk names ${path}, which it never made`)
    return node
  }
  const fileOf = (inode: string): File => {
    const node = nodes.get(inode)
    if (node?.kind !== 'file')
      throw new Error(`the record of the disk writes to inode ${inode}, which is no file`)
    return node
  }
  for (const { at, kind, inode, one, first, second } of recordsIn(log))
    switch (kind) {
      case 'create':
      case 'directory': {
        const node = kind === 'create' ? newFile(null) : newDirectory()
        nodes.set(inode, node)
        change(at, first, node)
        break
      }
      case 'write':
        fileOf(inode).changes.push({ at, offset: one, data: second })
        break
      case 'truncate':
        fileOf(inode).changes.push({ at, length: one })
        break
      case 'rename': {
        const node = nodeAt(first)
        change(at, first, null)
        change(at, second.toString('utf8'), node)
        break
      }
      case 'link':
        change(at, second.toString('utf8'), nodeAt(first))
        break
      case 'remove':
        change(at, first, null)
        break
      case 'sync': {
        const node = nodes.get(inode)
        if (node !== undefined) node.synchronized = Math.max(node.synchronized, one)
        break
      }
      case 'mapped':
        fileOf(inode).isMapped = true
        break
      case 'unsupported':
      case '':
        throw new Error(`power cuts can't be simulated of what the process did: ${first}`)
    }
}

const directoriesBelow = (directory: Directory, found = new Set<Directory>()): ReadonlySet<Directory> => {
  if (found.has(directory)) return found
  found.add(directory)
  const below = [...directory.before.values(), ...directory.changes.map(({ node }) => node)]
  for (const node of below) if (node?.kind === 'directory') directoriesBelow(node, found)
  return found
}

/** How many changes of each directory have happened: at least the synchronized ones, renames in both or in none. */
const chooseCuts = (root: Directory, random: Random): ReadonlyMap<Directory, number> => {
  const directories = directoriesBelow(root)
  const cuts = new Map<Directory, number>()
  for (const directory of directories) {
    const { changes, synchronized } = directory
    const least = changes.filter(({ at }) => at < synchronized).length
    const free = changes.length - least
    const chance = random.below(3)
    cuts.set(directory, least + (chance === 0 ? 0 : chance === 1 ? free : random.below(free + 1)))
  }
  for (let isChanged = true; isChanged;) {
    isChanged = false
    const happened = new Set<number>()
    for (const [directory, cut] of cuts)
      for (const { at } of directory.changes.slice(0, cut)) happened.add(at)
    for (const [directory, cut] of cuts) {
      const last = directory.changes.findLastIndex(({ at }) => happened.has(at)) + 1
      if (last <= cut) continue
      cuts.set(directory, last)
      isChanged = true
    }
  }
  return cuts
}

const pageBytes = 4096
const sectorBytes = 512

/** The changes of a file that survive, those that were synchronized in full. */
const survivingChanges = ({ changes, synchronized }: File, random: Random): readonly FileChange[] => {
  const durable = changes.filter(({ at }) => at < synchronized)
  const later = changes.filter(({ at }) => at >= synchronized)
  const torn = (change: FileChange): FileChange =>
    'length' in change
      ? change
      : {
          ...change,
          data: change.data.subarray(
            0,
            random.below(Math.ceil(change.data.length / sectorBytes)) * sectorBytes,
          ),
        }
  /** The pages of a write reach the disk each by itself. */
  const pages = (change: FileChange): readonly FileChange[] => {
    if ('length' in change) return [change]
    const parts: FileChange[] = []
    for (let from = 0; from < change.data.length;) {
      const to = Math.min(change.data.length, from + pageBytes - ((change.offset + from) % pageBytes))
      if (random.below(2) === 0)
        parts.push({ at: change.at, offset: change.offset + from, data: change.data.subarray(from, to) })
      from = to
    }
    return parts
  }
  const chance = random.below(4)
  if (chance === 0) return durable
  if (chance === 1) return changes
  if (chance === 2) return [...durable, ...later.flatMap(pages)]
  const whole = random.below(later.length + 1)
  return [...durable, ...later.slice(0, whole), ...later.slice(whole, whole + 1).map(torn)]
}

const writeFileOf = async (
  path: string,
  { before, isMapped }: File,
  changes: readonly FileChange[],
): Promise<void> => {
  // Memory that processes share outlasts none of them, whatever is in the file behind it.
  if (isMapped && !path.endsWith('-shm')) throw new Error(`power cuts can't be simulated of a mapped ${path}`)
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

/** Writes a directory and all below it, as the choices say. */
const writeTree = async (
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
      ? writeTree(join(path, name), node, cutOf, changesOf)
      : writeFileOf(join(path, name), node, changesOf(node)))
}

const contentsOf = async (folder: string, below = ''): Promise<ReadonlyMap<string, Buffer>> => {
  const found = new Map<string, Buffer>()
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    const path = join(below, entry.name)
    if (!entry.isDirectory()) found.set(path, await readFile(join(folder, path)))
    else for (const [name, data] of await contentsOf(folder, path)) found.set(name, data)
  }
  return found
}

/** Starts to record a folder that no process uses yet. What is in it then is taken for synchronized. */
export const recordFolder = async (folder: string, ignored?: Ignored): Promise<Recording> => {
  const library = await powerCutLibrary()
  const aside = await mkdtemp(join(tmpdir(), 'power-cut-'))
  const [copy, log, rebuilt] = [join(aside, 'before'), join(aside, 'record'), join(aside, 'rebuilt')]
  await cp(folder, copy, { recursive: true, preserveTimestamps: true })
  await writeFile(log, '')
  const nodes = new Map<string, Node>()
  const root = await readTree(folder, copy, nodes)
  return {
    environment: {
      LD_PRELOAD: library,
      POWER_CUT_FOLDER: folder,
      POWER_CUT_LOG: log,
      // Writes through it pass the library by.
      UV_USE_IO_URING: '0',
      ...(ignored === undefined ? {} : { POWER_CUT_IGNORE: ignored }),
    },
    cutPower: async (random) => {
      replay(await readFile(log), folder, root, nodes)
      const cuts = chooseCuts(root, random)
      await writeTree(
        rebuilt,
        root,
        (directory) => cuts.get(directory) ?? 0,
        (file) => survivingChanges(file, random),
      )
      await rm(folder, { recursive: true, force: true })
      await cp(rebuilt, folder, { recursive: true, preserveTimestamps: true })
    },
    differences: async () => {
      replay(await readFile(log), folder, root, nodes)
      await writeTree(
        rebuilt,
        root,
        ({ changes }) => changes.length,
        ({ changes }) => changes,
      )
      const [replayed, found] = [await contentsOf(rebuilt), await contentsOf(folder)]
      return [...new Set([...replayed.keys(), ...found.keys()])].filter(
        (name) =>
          !name.endsWith('-shm') && replayed.get(name)?.equals(found.get(name) ?? Buffer.alloc(0)) !== true,
      )
    },
    remove: () => rm(aside, { recursive: true, force: true }),
  }
}
