/** A worker that calls the libraries as anybody would who needs no service: the same filter, size and quality. */
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { Size } from '@publishing-service/domain'

export type Library = 'jimp' | 'sharp'

export type BareJob = { readonly library: Library; readonly data: Uint8Array; readonly size: Size }

const quality = 82

const withJimp = async (data: Uint8Array, { width, height }: Size): Promise<Uint8Array> => {
  const [{ createJimp }, { default: jpeg }, { methods }] = await Promise.all([
    import('@jimp/core'),
    import('@jimp/js-jpeg'),
    import('@jimp/plugin-resize'),
  ])
  const Jimp = createJimp({ formats: [jpeg], plugins: [methods] })
  const image = await Jimp.fromBuffer(Buffer.from(data.buffer))
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

// As the service's own workers: on a busy machine the two have to wait alike.
const lowered = 2

parentPort?.on('message', (job: BareJob) => {
  if (job.library === 'jimp' && process.platform === 'linux') setPriority(lowered)
  const scaled = job.library === 'jimp' ? withJimp(job.data, job.size) : withSharp(job.data, job.size)
  void scaled.then((bytes) => parentPort?.postMessage(bytes.length))
})
