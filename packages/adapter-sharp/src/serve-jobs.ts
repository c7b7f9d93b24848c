/** Runs the jobs of a scaling process one after the other, until the service closes the connection. */
import {
  unreadablePixels,
  E,
  memoryAllowance,
  tookTooMuch,
  type Either,
  type Size,
} from '@publishing-service/domain'
import { scalableHeader, withJpegEnd, type ImageHeader } from '@publishing-service/image-header'
import { readOriginal } from './read-original.js'
import { scaleImage } from './scale-image.js'
import { isScaled } from './scaled-formats.js'
import type { ScaleJob, ScaleResult } from './scaling-process.js'

const send = (result: ScaleResult): void => void process.send?.(result)

const mebibyte = 2 ** 20
const millisecondsBetweenChecks = 20

/** Reports a job that exceeds its memory. The service then kills this process. */
const watchMemory = (mebibytes: number): NodeJS.Timeout => {
  const most = process.memoryUsage.rss() + mebibytes * mebibyte
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() <= most) return
    clearInterval(watch)
    send({ _tag: 'OutOfMemory', reason: tookTooMuch(mebibytes) })
  }, millisecondsBetweenChecks)
  return watch
}

/** Mebibytes that a job needs at its peak. */
type MemoryEstimate = (header: ImageHeader, dataBytes: number, size: Size) => number

const unknownFormat = 'The image is of a format that can be stored but not scaled.'

/**
 * libjpeg reads up to 8 bytes ahead. It fails if these are missing, but libvips ignores that an end marker comes too
 * early in the last rows.
 */
const afterOnlyScan = new Uint8Array(8)

const scaled = async (
  data: Uint8Array,
  { size, ...limits }: ScaleJob,
  estimate: MemoryEstimate,
): Promise<Either<string, Uint8Array>> => {
  const header = scalableHeader(data, limits, (each) => estimate(each, data.length, size))
  if (E.isLeft(header)) return header
  const { mimetype } = header.right
  if (!isScaled(mimetype)) return E.left(unknownFormat)
  const watch = watchMemory(memoryAllowance(limits, data.length))
  const image = await scaleImage(withJpegEnd(data, header.right, afterOnlyScan), mimetype, size)
  clearInterval(watch)
  return image === null ? E.left(unreadablePixels) : E.right(image)
}

export const serveJobs = (estimate: MemoryEstimate): void => {
  // A terminal and some supervisors signal the whole group; running jobs are finished, and the service ends this
  // process.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
  process.on('disconnect', () => process.exit())
  process.on('message', (message) => {
    const job = message as ScaleJob
    void scaled(readOriginal(job.bytes), job, estimate).then((result) =>
      send(
        E.isRight(result)
          ? { _tag: 'Scaled', data: result.right }
          : { _tag: 'Unreadable', reason: result.left },
      ),
    )
  })
}
