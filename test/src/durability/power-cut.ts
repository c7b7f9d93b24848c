/**
 * Simulated power cuts. A library that is preloaded into a process (power-cut.c) saves the data of each file and the
 * entries of each directory when they are synchronized. A power cut loses everything else: the folder is rebuilt from
 * what is saved, so a file whose data was not synchronized is empty, and one whose directory was not does not exist.
 */
import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { copyFile, lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const source = fileURLToPath(new URL('../../src/durability/power-cut.c', import.meta.url))

/** Which synchronizations the simulated disk ignores. */
export type Ignored = 'files' | 'directories'

let library: Promise<string> | null = null

/** Compiles the library once per process. Rejects with what is missing. */
const compileLibrary = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'power-cut-library-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'power-cut.so')
  try {
    await promisify(execFile)('cc', ['-shared', '-fPIC', '-O2', '-o', path, source, '-ldl', '-pthread'])
  } catch (cause) {
    throw new Error(
      'Simulated power cuts require Linux and a C compiler, `cc` (Debian: apt-get install gcc libc6-dev)',
      { cause },
    )
  }
  return path
}

const inodeOf = async (path: string): Promise<string> => String((await lstat(path, { bigint: true })).ino)

/** Saves a folder as if all of it had been synchronized. */
const saveFolder = async (folder: string, saved: string): Promise<void> => {
  const lines: string[] = []
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    const inode = await inodeOf(path)
    lines.push(`${entry.isDirectory() ? 'd' : 'f'}${inode} ${entry.name}\n`)
    await (entry.isDirectory() ? saveFolder(path, saved) : copyFile(path, join(saved, inode)))
  }
  await writeFile(join(saved, await inodeOf(folder)), lines.join(''))
}

const savedBytes = (saved: string, inode: string): Promise<Buffer> =>
  readFile(join(saved, inode)).catch(() => Buffer.alloc(0))

const rebuildFolder = async (folder: string, saved: string, inode: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const [, type, entry = '', name = ''] of String(await savedBytes(saved, inode)).matchAll(
    /^([df])(\d+) (.+)$/gm,
  )) {
    const path = join(folder, name)
    await (type === 'd'
      ? rebuildFolder(path, saved, entry)
      : writeFile(path, await savedBytes(saved, entry), { mode: 0o600 }))
  }
}

/** Starts to save a folder that no process uses. Its current content counts as synchronized. */
export const saveSynchronized = async (folder: string, ignored?: Ignored) => {
  library ??= compileLibrary()
  const LD_PRELOAD = await library
  const saved = await mkdtemp(join(tmpdir(), 'power-cut-'))
  const root = await inodeOf(folder)
  await saveFolder(folder, saved)
  return {
    /** The environment of the process whose synchronizations count. */
    environment: {
      LD_PRELOAD,
      POWER_CUT_FOLDER: folder,
      POWER_CUT_SAVED: saved,
      // The library does not see synchronizations through io_uring.
      UV_USE_IO_URING: '0',
      ...(ignored === undefined ? {} : { POWER_CUT_IGNORE: ignored }),
    },
    /** Replaces the folder by what is synchronized. The process must have ended. */
    cutPower: async (): Promise<void> => {
      await rm(folder, { recursive: true, force: true })
      await rebuildFolder(folder, saved, root)
    },
    remove: () => rm(saved, { recursive: true, force: true }),
  }
}
