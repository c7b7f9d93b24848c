/**
 * Tells whether the process that made a file still runs. A process is named by the system it runs on (a start of
 * the machine and, in containers, its own table of processes), its id and its start, since ids are used again.
 */
import { createHash } from 'node:crypto'
import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'

export type WritingProcess = {
  /** 16 hexadecimal digits; processes of equal systems see each other. */
  readonly system: string
  readonly pid: number
  /** Differs between two processes that had one id after each other; its unit is the system's own. */
  readonly start: number
}

/** `elsewhere`: on another machine, in another container, or before the machine was started anew. */
export type Liveness = 'alive' | 'dead' | 'elsewhere'

const orNothing = async (reading: Promise<string>): Promise<string> => {
  try {
    return await reading
  } catch {
    return ''
  }
}

/**
 * The start in clock ticks since the machine's, `ended` where only the entry is left, and null where the system
 * has no table of processes or doesn't show this one.
 */
const startInTable = async (pid: number | 'self'): Promise<number | 'ended' | null> => {
  const line = await orNothing(readFile(`/proc/${pid}/stat`, 'latin1'))
  if (line === '') return null
  // The second field is the command in brackets and may hold anything; the fields behind it are plain.
  const [state, ...fields] = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return state === 'Z' || state === 'X' ? 'ended' : Number(fields[18])
}

export const thisProcess = async (): Promise<WritingProcess> => {
  const boot = await orNothing(readFile('/proc/sys/kernel/random/boot_id', 'latin1'))
  const processes = await orNothing(readlink('/proc/self/ns/pid'))
  const system = createHash('sha256')
    .update(`${hostname()}\n${boot}\n${processes}`)
    .digest('hex')
    .slice(0, 16)
  const start = await startInTable('self')
  return {
    system,
    pid: process.pid,
    start: typeof start === 'number' ? start : Math.trunc(performance.timeOrigin),
  }
}

const answersToSignals = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // A process of another user refuses the signal, but is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

export const livenessOf = async (writer: WritingProcess, self: WritingProcess): Promise<Liveness> => {
  if (writer.system !== self.system) return 'elsewhere'
  if (writer.pid === self.pid) return writer.start === self.start ? 'alive' : 'dead'
  if (!answersToSignals(writer.pid)) return 'dead'
  const start = await startInTable(writer.pid)
  // Where nothing is shown the id has to do: rather keep a leftover than break a write.
  return start === null || start === writer.start ? 'alive' : 'dead'
}
