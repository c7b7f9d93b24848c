import type { JsonObject } from '../json.js'
import { changeOf, completeWrite, type WriteCommand } from '../resource/draft-write.js'
import { typedState } from '../resource/table-entries.js'
import { file } from './file.js'
import { withFormerUpload } from './former-uploads.js'

type UploadCommand = Pick<WriteCommand, 'id' | 'now' | 'user' | 'settings'> & {
  /** Milliseconds since 1970. */
  readonly at: number
}

/**
 * The metadata of a file with new data, as a new upload. A `modified` that was sent since the last upload stays
 * (docs/behaviour/files.md#modified).
 */
export const recordUpload = (
  state: JsonObject,
  data: JsonObject,
  { at, ...command }: UploadCommand,
): JsonObject => {
  const former = typedState(file, state)
  const { modified, modified_sent: sent } = former
  const supplied = new Set(sent !== null && sent === modified ? ['modified'] : [])
  const uploads = {
    // Numbers grow, also if the clock was set back.
    upload: Math.max((former.upload ?? 0) + 1, at),
    former_uploads: withFormerUpload(former, at),
  }
  return completeWrite(
    file,
    { ...state, ...data, ...uploads, modified_sent: null },
    changeOf({ ...command, mode: 'patch', previous: state }, supplied),
  )
}
