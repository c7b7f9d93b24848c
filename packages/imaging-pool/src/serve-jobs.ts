/** Runs the jobs of a scaling process one after the other, until the service closes the connection. */
import { E } from '@publishing-service/domain/fp'
import { unreadablePixels, type Size } from '@publishing-service/domain/images'
import { scalableHeader, type ImageHeader } from '@publishing-service/image-header'
import { readOriginal } from './read-original.js'
import type { ScaleJob, ScaleResult } from './scaling-process.js'

export type DecodingJob = {
  readonly data: Uint8Array
  readonly header: ImageHeader
  /** The requested size of the upright image. */
  readonly size: Size
  /** The deployment's memory limit for a job. */
  readonly mebibytes: number
}

/** The scaled image, or why there is none; null if the pixels cannot be read. */
export type Scaled = Uint8Array | NotScaled | null

/** The reason is for the client. After `OutOfMemory`, the process is killed. */
export type NotScaled = { readonly _tag: 'Unreadable' | 'OutOfMemory'; readonly reason: string }

/** How an adapter scales images. */
export type Scaler = {
  /** An estimate of the mebibytes that a job needs at its peak, from the header alone. */
  readonly memoryMb: (header: ImageHeader, dataBytes: number, size: Size) => number
  readonly scale: (job: DecodingJob) => Promise<Scaled>
}

const resultOf = async (
  data: Uint8Array,
  { size, mebibytes }: ScaleJob,
  { memoryMb, scale }: Scaler,
): Promise<ScaleResult> => {
  const header = scalableHeader(data, { mebibytes }, (each) => memoryMb(each, data.length, size))
  if (E.isLeft(header)) return { _tag: 'Unreadable', reason: header.left }
  const scaled = await scale({ data, header: header.right, size, mebibytes })
  if (scaled === null) return { _tag: 'Unreadable', reason: unreadablePixels }
  return scaled instanceof Uint8Array ? { _tag: 'Scaled', data: scaled } : scaled
}

export const serveJobs = (scaler: Scaler): void => {
  const send = (result: ScaleResult): void => void process.send?.(result)
  // A terminal and some supervisors signal the whole group; running jobs are finished, and the service ends this
  // process.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
  process.on('disconnect', () => process.exit())
  process.on('message', (message) => {
    const job = message as ScaleJob
    resultOf(readOriginal(job.bytes), job, scaler).then(send, (error: unknown) =>
      send({ _tag: 'Defect', reason: String(error) }),
    )
  })
}
