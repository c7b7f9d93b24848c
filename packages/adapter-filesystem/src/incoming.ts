/**
 * The folder of what is on its way in or out. Each name in it says which process made it; what a process that has
 * ended left there is removed when a store opens, and what a living one writes is never touched.
 */
import { randomBytes } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { orAbsent } from './file-failure.js'
import { livenessOf, type WritingProcess } from './writing-process.js'

/** A process that can't be seen from here is taken for ended when it hasn't touched its file for this long. */
const patience = 24 * 60 * 60 * 1000

const namePattern = /^([0-9a-f]{16})-([0-9]{1,12})-([0-9]{1,16})-[0-9a-f]{16}$/

const writerOf = (name: string): WritingProcess | null => {
  const [, system, pid, start] = namePattern.exec(name) ?? []
  return system === undefined ? null : { system, pid: Number(pid), start: Number(start) }
}

/** A path in the folder that nobody else uses. */
export const incomingPath = (folder: string, self: WritingProcess): string =>
  join(folder, `${self.system}-${self.pid}-${self.start}-${randomBytes(8).toString('hex')}`)

const untouchedFor = async (path: string): Promise<number> => {
  const found = await orAbsent(stat(path))
  // Where it is gone its writer finished in this moment.
  return found === null ? 0 : Date.now() - found.mtimeMs
}

const isLeftover = async (folder: string, name: string, self: WritingProcess): Promise<boolean> => {
  const writer = writerOf(name)
  if (writer === null) return false
  const liveness = await livenessOf(writer, self)
  return liveness === 'elsewhere' ? (await untouchedFor(join(folder, name))) > patience : liveness === 'dead'
}

export const removeLeftovers = async (folder: string, self: WritingProcess): Promise<void> => {
  for (const name of await readdir(folder)) {
    if (await isLeftover(folder, name, self)) await rm(join(folder, name), { recursive: true, force: true })
  }
}
