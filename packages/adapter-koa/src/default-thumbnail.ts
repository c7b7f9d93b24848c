/** The default thumbnails of kinds of media: PNG files in the assets of this package. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { defaultThumbnailMimetype, type ThumbnailKind } from '@publishing-service/domain/files'
import type { Download } from '@publishing-service/application'

async function* singleChunk(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield chunk
}

const read = (kind: ThumbnailKind): Download => {
  const data = readFileSync(new URL(`../assets/default-thumbnails/${kind}.png`, import.meta.url))
  return {
    mimetype: defaultThumbnailMimetype,
    filename: `${kind}.png`,
    bytes: data.length,
    tag: createHash('sha256').update(data).digest('hex'),
    dependsOn: { accept: false, focalPoint: false },
    isStored: true,
    read: async (range) =>
      singleChunk(range === undefined ? data : data.subarray(range.start, range.end + 1)),
  }
}

const thumbnails = new Map<ThumbnailKind, Download>()

/** The default thumbnail of a kind. Its file is read once. */
export const defaultThumbnail = (kind: ThumbnailKind): Download => {
  const thumbnail = thumbnails.get(kind) ?? read(kind)
  thumbnails.set(kind, thumbnail)
  return thumbnail
}
