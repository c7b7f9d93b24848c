/**
 * The imaging port with Jimp, which is JavaScript and WebAssembly. It scales JPEG, PNG, BMP, and the first frame of GIF
 * and WebP.
 */
import { imagingInProcesses, type ImagingOptions } from '@publishing-service/imaging-pool'
import type { Imaging } from '@publishing-service/ports'

export type JimpImagingOptions = ImagingOptions

/** Opens the port. No process runs until the first image is scaled. docs/behaviour/files.md#scaling */
export const jimpImaging = (options: JimpImagingOptions): Imaging =>
  imagingInProcesses(
    {
      // Changed whenever the result for the same image changes, such as with another filter or quality.
      version: 'jimp-3',
      // TIFF is excluded: utif2 inflates without a limit, decodes every page and does not support CMYK, and most
      // browsers do not display TIFF.
      formats: ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/bmp'],
      makes: ['image/webp', 'image/jpeg', 'image/png'],
      cmyk: false,
      program: new URL('./scaling-program.js', import.meta.url),
      limitsHeap: true,
    },
    options,
  )
