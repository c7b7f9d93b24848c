/** The processor time and memory of a process, as Linux reports them; null on other systems. */
import { readFile } from 'node:fs/promises'

const textOf = async (path: string): Promise<string | null> => {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

export type Memory = {
  /** Bytes that are resident now. */
  readonly resident: number
  /** The most bytes that were resident at once since the process started. */
  readonly peak: number
}

export const memoryOf = async (pid: number): Promise<Memory | null> => {
  const status = await textOf(`/proc/${pid}/status`)
  if (status === null) return null
  const kibibytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0)
  return { resident: kibibytes('VmRSS') * 1024, peak: kibibytes('VmHWM') * 1024 }
}

/** Linux counts in hundredths of a second, whatever its own clock ticks. */
const ticksPerSecond = 100

/** Seconds of processor time that the process has used, all its threads together. */
export const processorSecondsOf = async (pid: number): Promise<number | null> => {
  const line = await textOf(`/proc/${pid}/stat`)
  if (line === null) return null
  // The name is in parentheses and may contain any text; user and system time are fields 14 and 15.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}
