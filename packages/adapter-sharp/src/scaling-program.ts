/** The program of a scaling process. */
import { memoryAllowance } from '@publishing-service/domain/images'
import { withJpegEnd } from '@publishing-service/image-header'
import { serveJobs } from '@publishing-service/imaging-pool/serve-jobs'
import { jobMemoryMb } from './job-memory.js'
import { scaleImage } from './scale-image.js'
import { isScaled } from './scaled-formats.js'
import { withinMemory } from './within-memory.js'

const unknownFormat = 'The image is of a format that can be stored but not scaled.'

/**
 * libjpeg reads up to 8 bytes ahead. It fails if these are missing, but libvips ignores that an end marker comes too
 * early in the last rows.
 */
const afterOnlyScan = new Uint8Array(8)

serveJobs({
  memoryMb: jobMemoryMb,
  scale: async ({ data, header, size, mebibytes }) => {
    const { mimetype } = header
    if (!isScaled(mimetype)) return { _tag: 'Unreadable', reason: unknownFormat }
    return withinMemory(memoryAllowance({ mebibytes }, data.length), () =>
      scaleImage(withJpegEnd(data, header, afterOnlyScan), mimetype, size),
    )
  },
})
