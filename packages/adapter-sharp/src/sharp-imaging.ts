/** The imaging port with sharp, which is libvips. It scales JPEG, PNG, WebP and the first frame of GIF, and makes AVIF. */
import { imagingInProcesses, type ImagingOptions } from '@publishing-service/imaging-pool'
import type { Imaging } from '@publishing-service/ports'
// Imported only so that the start fails if sharp is not installed or has no build for this machine.
import 'sharp'
import { madeFormats, scaledFormats } from './scaled-formats.js'

export type SharpImagingOptions = ImagingOptions

/** Opens the port. No process runs until the first image is scaled. docs/behaviour/files.md#scaling */
export const sharpImaging = (options: SharpImagingOptions): Imaging =>
  imagingInProcesses(
    {
      // Changed whenever the result for the same image changes, such as with another filter or quality.
      version: 'sharp-1',
      formats: scaledFormats,
      makes: madeFormats,
      cmyk: true,
      program: new URL('./scaling-program.js', import.meta.url),
      // libvips allocates outside of the heap.
      limitsHeap: false,
    },
    options,
  )
