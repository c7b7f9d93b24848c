/** The program of a scaling process. */
import type { ImageFormat } from '@publishing-service/domain/images'
import { isCmyk } from '@publishing-service/image-header'
import { serveJobs, type DecodingJob, type NotScaled } from '@publishing-service/imaging-pool/serve-jobs'
import { jobMemoryMb } from './job-memory.js'
import { scaleImage, summariseImage } from './scale-image.js'

// jpeg-js converts CMYK without a profile, with wrong colours.
const cmykReason =
  'The image is a CMYK JPEG, which this service does not scale: convert it to RGB, or run the service with IMAGING=sharp.'

/**
 * In bytes, on the heap and outside of it. A photograph of twelve megapixels leaves less, because the heap grows slowly
 * after each collection.
 */
const collectionThreshold = { heap: 64 * 2 ** 20, outside: 128 * 2 ** 20 }

/**
 * Collects the garbage of the previous job if there is enough of it. V8 does not count the memory of pixels, so without
 * this a process may retain hundreds of megabytes.
 */
const collectGarbage = (): void => {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  if (heapUsed > collectionThreshold.heap || arrayBuffers > collectionThreshold.outside) globalThis.gc?.()
}

type Job = DecodingJob<ImageFormat>

/** Runs the work of a job, if jpeg-js decodes its image with the right colours. */
const inColour =
  <A>(work: (job: Job) => Promise<A>) =>
  async (job: Job): Promise<A | NotScaled> => {
    if (isCmyk(job.header)) return { _tag: 'Unreadable', reason: cmykReason }
    collectGarbage()
    return work(job)
  }

serveJobs<ImageFormat>({
  reads: () => true,
  writes: (format) => format !== 'image/avif',
  memoryMb: jobMemoryMb,
  scale: inColour(scaleImage),
  summarise: inColour(summariseImage),
})
