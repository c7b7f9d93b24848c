/**
 * The program of a process that scales: one job after the other, until the service lets go of the connection. It has
 * nothing else to do, so it may wait on its connection without a loop.
 */
import { readSync, writeSync } from 'node:fs'
import {
  answerHead,
  connection,
  jobHeadBytes,
  readJobHead,
  type ScaleJob,
  type ScaleOutcome,
} from './scale-job.js'
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

const answer = (outcome: ScaleOutcome, bytes: Uint8Array = new Uint8Array()): void => {
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

/** Null where no further one comes. */
const nextJob = (): ScaleJob | null => {
  const head = new Uint8Array(jobHeadBytes)
  if (!fill(head)) return null
  const { bytes, ...job } = readJobHead(head)
  const data = roomFor(bytes)
  return fill(data) ? { ...job, data } : null
}

const mebibyte = 2 ** 20
const millisecondsBetweenLooks = 20

/** Says so as soon as the job has taken more memory than it may; the service then ends this process. */
const watchMemory = (mebibytes: number): NodeJS.Timeout => {
  const most = process.memoryUsage.rss() + mebibytes * mebibyte
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() <= most) return
    clearInterval(watch)
    answer('out of memory')
  }, millisecondsBetweenLooks)
  return watch
}

// The service is told to end, and says when: a job that runs is still to be answered.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)

for (let job = nextJob(); job !== null; job = nextJob()) {
  const watch = watchMemory(job.mebibytes)
  const picture = await scaleImage(job.data, job.format, job.size)
  clearInterval(watch)
  if (picture === null) answer('broken')
  else answer('scaled', picture)
}
