/** A small file system in memory that can be filled, for the data of a database. */
import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, open, rm, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

export type SmallDisk = {
  readonly folder: string
  readonly fill: () => Promise<void>
  readonly freeSpace: () => Promise<void>
  readonly remove: () => Promise<void>
}

const run = promisify(execFile)
const mounting = ['-t', 'tmpfs', '-o', 'size=32m,mode=0700', 'tmpfs']

/** Whether this process may mount one: tried where no other process sees it. Root may, except in most containers. */
export const canMount = (): boolean =>
  spawnSync('unshare', ['--mount', 'mount', ...mounting, tmpdir()], { stdio: 'ignore' }).status === 0

export const mountSmallDisk = async (): Promise<SmallDisk> => {
  const folder = await mkdtemp(join(tmpdir(), 'small-disk-'))
  await run('mount', [...mounting, folder])
  // The server that root starts runs as this user.
  await run('chown', ['postgres', folder])
  const rest = join(folder, 'rest')
  return {
    folder,
    fill: async () => {
      const file = await open(rest, 'w')
      const isFull = (error: unknown): boolean =>
        error instanceof Error && 'code' in error && error.code === 'ENOSPC'
      try {
        for (;;) await file.write(Buffer.alloc(4096))
      } catch (error) {
        if (!isFull(error)) throw error
      } finally {
        await file.close()
      }
    },
    freeSpace: () => rm(rest),
    remove: async () => {
      await run('umount', [folder])
      await rmdir(folder)
    },
  }
}
