import { Text } from '@mantine/core'
import type { JsonObject } from '@publishing-service/domain'
import libraryClasses from '../library/library.module.css'
import { Thumbnail } from '../library/thumbnail.js'
import { useSlots } from './slots-context.js'
import { useMediumImage } from './use-medium-image.js'
import { useStoredSlot } from './use-stored-slot.js'

const Medium = ({ medium }: { readonly medium: JsonObject }) => {
  const image = useMediumImage(medium)
  return (
    <li>
      <Thumbnail download={image} mimetype="image/jpeg" alt="" width={480} />
      {typeof medium['title'] === 'string' && <Text size="sm">{medium['title']}</Text>}
    </li>
  )
}

/** The media of a slot as a reader sees them. */
export const SlotPreview = ({ id }: { readonly id: string }) => {
  const { contentId, draftOf } = useSlots()
  const stored = useStoredSlot(contentId, id)
  const media = draftOf(id).media ?? stored.media
  return (
    <ul className={libraryClasses['grid']}>
      {media.map((medium, index) => (
        // Media have no identity other than their position.
        // oxlint-disable-next-line react/no-array-index-key
        <Medium key={index} medium={medium} />
      ))}
    </ul>
  )
}
