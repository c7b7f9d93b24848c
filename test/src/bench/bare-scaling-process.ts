/**
 * A process that calls the imaging libraries without the service, with the same filter, size and quality. It reports
 * how many seconds each call took, without the transfer between the processes.
 */
import { setPriority } from 'node:os'
import type { Size } from '@publishing-service/domain'

export type Library = 'jimp' | 'sharp'

/** The data come first, once; sizes after it, one at a time. */
export type BareQuestion = { readonly library: Library; readonly data: Uint8Array } | Size

const quality = 82

const withJimp = async (data: Uint8Array, { width, height }: Size): Promise<Uint8Array> => {
  const [{ createJimp }, { default: jpeg }, { methods }] = await Promise.all([
    import('@jimp/core'),
    import('@jimp/js-jpeg'),
    import('@jimp/plugin-resize'),
  ])
  const Jimp = createJimp({ formats: [jpeg], plugins: [methods] })
  const image = await Jimp.fromBuffer(Buffer.from(data))
  return image.resize({ w: width, h: height }).getBuffer('image/jpeg', { quality })
}

const withSharp = async (data: Uint8Array, { width, height }: Size): Promise<Uint8Array> => {
  const { default: sharp } = await import('sharp')
  return sharp(data)
    .autoOrient()
    .resize({ width, height, fit: 'fill', kernel: 'cubic' })
    .jpeg({ quality, chromaSubsampling: '4:4:4' })
    .toBuffer()
}

const calls = { jimp: withJimp, sharp: withSharp } as const

// As what the service scales with: on a busy machine the two have to wait alike.
setPriority(2)

let photograph: Uint8Array = new Uint8Array()
let library: Library = 'jimp'

const measure = async (size: Size): Promise<number> => {
  const started = performance.now()
  await calls[library](photograph, size)
  return (performance.now() - started) / 1000
}

process.on('message', (request: BareQuestion) => {
  if ('data' in request) ({ data: photograph, library } = request)
  else void measure(request).then((seconds) => process.send?.(seconds))
})
process.once('disconnect', () => process.exit(0))
