import type { JsonObject } from '../json.js'
import type { RecordedImage } from '../image/image-format.js'
import type { StateOf } from '../resource/attribute.js'
import { changeOf, completeWrite, type WriteCommand } from '../resource/draft-write.js'
import { stateIn } from '../resource/variant.js'
import { file } from './file.js'
import type { fileDataAttributes } from './file-data.js'
import { mostFormerUploads, redirectedFor } from './former-uploads.js'

type UploadCommand = Pick<WriteCommand, 'id' | 'now' | 'user' | 'settings'> & {
  /** Milliseconds since 1970. */
  readonly at: number
}

type ImageMetadata = Pick<
  StateOf<typeof fileDataAttributes>,
  'width' | 'height' | 'image_format' | 'image_cmyk'
>

/** The attributes of a file whose data is this image; all null if it is none. `recordedImage` reads them. */
export const recordImage = (image: RecordedImage | null): ImageMetadata => ({
  width: image?.width ?? null,
  height: image?.height ?? null,
  image_format: image?.format ?? null,
  image_cmyk: image?.isCmyk ?? null,
})

/**
 * The metadata of a file with new data, as a new upload. A `modified` that was sent since the last upload stays
 * (docs/behaviour/files.md#modified).
 */
export const recordUpload = (
  state: JsonObject,
  data: JsonObject,
  { at, ...command }: UploadCommand,
): JsonObject => {
  const former = stateIn(file, state)
  const { modified, modified_sent: sent } = former
  const supplied = new Set(sent !== null && sent === modified ? ['modified'] : [])
  const uploads = {
    // Numbers grow, also if the clock was set back.
    upload: Math.max((former.upload ?? 0) + 1, at),
    former_uploads: [
      ...(former.upload === null ? [] : [{ upload: former.upload, replaced: at }]),
      ...(former.former_uploads ?? []).filter(({ replaced }) => at - replaced < redirectedFor),
    ].slice(0, mostFormerUploads),
  }
  return completeWrite(
    file,
    { ...state, ...data, ...uploads, modified_sent: null },
    changeOf({ ...command, mode: 'patch', previous: state }, supplied),
  )
}
