/**
 * What a process that scales does: one job after the other, until the service lets go of the connection. It has
 * nothing else to do, so it may wait on its connection without a loop.
 */
import { closeSync, fstatSync, openSync, readSync, writeSync, writevSync } from 'node:fs'
import {
  brokenPixels,
  E,
  memoryAllowance,
  scalableHeader,
  tookTooMuch,
  type Either,
  type ImageHeader,
  type Size,
} from '@publishing-service/domain'
import { answerHead, connection, readJob, type ScaleJob, type ScaleOutcome } from './scale-job.js'
import { isScaled } from './scaled-formats.js'
import { scaleImage } from './scale-image.js'

/** Whether all of it came. */
const fill = (bytes: Uint8Array, from = connection): boolean => {
  for (let at = 0; at < bytes.length;) {
    const read = readSync(from, bytes, at, bytes.length - at, null)
    if (read === 0) return false
    at += read
  }
  return true
}

/** Null where no more come. */
const next = (length: number): Uint8Array | null => {
  const bytes = new Uint8Array(length)
  return fill(bytes) ? bytes : null
}

/** In one piece where there is room for it, so that the service need look only once. */
const answer = (outcome: ScaleOutcome, bytes: Uint8Array): void => {
  const head = answerHead(outcome, bytes.length)
  for (let at = writevSync(connection, [head, bytes]) - head.length; at < bytes.length;)
    at += writeSync(connection, bytes, at)
}

const nothing = new Uint8Array()

/** Data go into the same room from job to job, unless they are large: it needn't be cleared and mapped each time. */
let room = nothing
const largestRoom = 16 * 2 ** 20

/**
 * Large room begins 16 bytes behind a page. There some processors (Zen 3) take ten times as long to copy what the
 * kernel has at the beginning of a page, as all of a file is; any further off they don't.
 */
const offset = 64

const roomFor = (bytes: number): Uint8Array => {
  const needed = offset + bytes
  if (needed > largestRoom) return new Uint8Array(needed).subarray(offset)
  if (room.length < needed) room = new Uint8Array(needed)
  return room.subarray(offset, needed)
}

type Received = ScaleJob & { readonly data: Uint8Array }

/** Null where so many bytes can't be read there, whyever: the service finds out by the way that its store has. */
const readFile = ({ bytes, file }: ScaleJob): Uint8Array | null => {
  let opened: number | null = null
  try {
    opened = openSync(file, 'r')
    const data = fstatSync(opened).size === bytes ? roomFor(bytes) : null
    return data !== null && fill(data, opened) ? data : null
  } catch {
    return null
  } finally {
    if (opened !== null) closeSync(opened)
  }
}

/** Null where no further one comes. */
const nextJob = (): Received | null => {
  for (let job = readJob(next); job !== null; job = readJob(next)) {
    if (job.file === '') {
      const data = roomFor(job.bytes)
      return fill(data) ? { ...job, data } : null
    }
    const data = readFile(job)
    answer(data === null ? 'not there' : 'read', nothing)
    if (data !== null) return { ...job, data }
  }
  return null
}

const mebibyte = 2 ** 20
const millisecondsBetweenLooks = 20
const text = new TextEncoder()

/** Says so as soon as the job has taken more memory than it may; the service then ends this process. */
const watchMemory = (mebibytes: number): NodeJS.Timeout => {
  const most = process.memoryUsage.rss() + mebibytes * mebibyte
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() <= most) return
    clearInterval(watch)
    answer('out of memory', text.encode(tookTooMuch(mebibytes)))
  }, millisecondsBetweenLooks)
  return watch
}

/** In mebibytes, what a job over so many bytes of data takes at its peak. */
export type MemoryEstimate = (header: ImageHeader, dataBytes: number, size: Size) => number

const unknownFormat = 'The image is of a format that can be stored but not scaled.'

const scaled = async (
  { data, size, ...limits }: Received,
  estimate: MemoryEstimate,
): Promise<Either<string, Uint8Array>> => {
  const header = scalableHeader(data, limits, (each) => estimate(each, data.length, size))
  if (E.isLeft(header)) return header
  const { mimetype } = header.right
  if (!isScaled(mimetype)) return E.left(unknownFormat)
  const watch = watchMemory(memoryAllowance(limits, data.length))
  const picture = await scaleImage(data, mimetype, size)
  clearInterval(watch)
  return picture === null ? E.left(brokenPixels) : E.right(picture)
}

export const serveJobs = async (estimate: MemoryEstimate): Promise<void> => {
  // The service is told to end, and says when: a job that runs is still to be answered.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
  for (let job = nextJob(); job !== null; job = nextJob()) {
    const outcome = await scaled(job, estimate)
    if (E.isRight(outcome)) answer('scaled', outcome.right)
    else answer('unreadable', text.encode(outcome.left))
  }
}
