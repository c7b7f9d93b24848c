/**
 * What a process that scales does: one job after the other, until the service lets go of the connection. It has
 * nothing else to do, so it may wait on its connection without a loop.
 */
import { readSync, writeSync } from 'node:fs'
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
import {
  answerHead,
  connection,
  jobHeadBytes,
  readJobHead,
  type ScaleJob,
  type ScaleOutcome,
} from './scale-job.js'
import { isScaled } from './scaled-formats.js'
import { scaleImage } from './scale-image.js'

/** Whether all of it came. */
const fill = (bytes: Uint8Array): boolean => {
  for (let at = 0; at < bytes.length;) {
    const read = readSync(connection, bytes, at, bytes.length - at, null)
    if (read === 0) return false
    at += read
  }
  return true
}

const send = (bytes: Uint8Array): void => {
  for (let at = 0; at < bytes.length;) at += writeSync(connection, bytes, at)
}

const answer = (outcome: ScaleOutcome, bytes: Uint8Array): void => {
  send(answerHead(outcome, bytes.length))
  send(bytes)
}

/** Data go into the same room from job to job, unless they are large: it needn't be cleared and mapped each time. */
let room = new Uint8Array()
const largestRoom = 16 * 2 ** 20

const roomFor = (bytes: number): Uint8Array => {
  if (bytes > largestRoom) return new Uint8Array(bytes)
  if (room.length < bytes) room = new Uint8Array(bytes)
  return room.subarray(0, bytes)
}

type Received = ScaleJob & { readonly data: Uint8Array }

/** Null where no further one comes. */
const nextJob = (): Received | null => {
  const head = new Uint8Array(jobHeadBytes)
  if (!fill(head)) return null
  const job = readJobHead(head)
  const data = roomFor(job.bytes)
  return fill(data) ? { ...job, data } : null
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
