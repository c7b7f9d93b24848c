/** The program of a scaling process. */
import { memoryAllowance } from '@publishing-service/domain/images'
import { withJpegEnd } from '@publishing-service/image-header'
import { serveJobs, type DecodingJob, type NotScaled } from '@publishing-service/imaging-pool/serve-jobs'
import { jobMemoryMb } from './job-memory.js'
import { scaleImage, summariseImage } from './scale-image.js'
import { isScaled, isWritten, type WrittenFormat } from './scaled-formats.js'
import { withinMemory } from './within-memory.js'

/**
 * libjpeg reads up to 8 bytes ahead. It fails if these are missing, but libvips ignores that an end marker comes too
 * early in the last rows.
 */
const afterOnlyScan = new Uint8Array(8)

/** Runs the work on the data of a job, within its memory. */
const onData = <A>(
  { data, header, mebibytes }: Pick<DecodingJob<WrittenFormat>, 'data' | 'header' | 'mebibytes'>,
  work: (whole: Uint8Array) => Promise<A>,
): Promise<A | NotScaled> =>
  withinMemory(memoryAllowance({ mebibytes }, data.length), () =>
    work(withJpegEnd(data, header, afterOnlyScan)),
  )

serveJobs<WrittenFormat>({
  reads: isScaled,
  writes: isWritten,
  memoryMb: jobMemoryMb,
  scale: (job) => onData(job, (whole) => scaleImage(whole, job.format, job.rendering)),
  summarise: (job) => onData(job, (whole) => summariseImage(whole, job.rendering)),
})
