import type { JsonObject } from '../json.js'
import { changeOf, completeWrite, type WriteCommand } from '../resource/draft-write.js'
import { typedState } from '../resource/table-entries.js'
import { file } from './file.js'

/**
 * The metadata of a file with new data. A `modified` that was sent since the last upload stays
 * (docs/behaviour/files.md#modified).
 */
export const recordUpload = (
  state: JsonObject,
  data: JsonObject,
  command: Pick<WriteCommand, 'id' | 'now' | 'user' | 'settings'>,
): JsonObject => {
  const { modified, modified_sent: sent } = typedState(file, state)
  const supplied = new Set(sent !== null && sent === modified ? ['modified'] : [])
  return completeWrite(
    file,
    { ...state, ...data, modified_sent: null },
    changeOf({ ...command, mode: 'patch', previous: state }, supplied),
  )
}
