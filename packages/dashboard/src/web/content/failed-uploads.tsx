import { UploadList } from '../library/upload-list.js'
import type { FailedUploads as Shown } from '../markup/slot-editing.js'
import { useSlots } from './slots.js'

/** The uploads of pictures in the text that failed. One that is repeated gets a slot where the caret is. */
export const FailedUploads: Shown = ({ insertSlot }) => {
  const { failedUploads, retryInNewSlot } = useSlots()
  return <UploadList {...failedUploads} retry={(upload) => insertSlot(retryInNewSlot(upload))} />
}
