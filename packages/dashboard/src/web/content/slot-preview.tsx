import { SimpleGrid, Text } from '@mantine/core'
import type { JsonObject } from '@publishing-service/domain/json'
import { MarkupPreview } from '../markup/markup-preview.js'
import { textOf } from '../../json.js'
import { useTexts } from '../texts/texts.js'
import classes from './content.module.css'
import { MediumImage } from './medium-image.js'
import { useSlot } from './slots.js'

const Medium = ({ medium }: { readonly medium: JsonObject }) => (
  <figure className={classes['medium']}>
    <MediumImage medium={medium} alt={textOf(medium['title']) ?? ''} width={480} />
    <figcaption>
      <Text size="sm" fw={600}>
        {textOf(medium['title'])}
      </Text>
      <MarkupPreview markup={textOf(medium['content']) ?? ''} />
    </figcaption>
  </figure>
)

/** The media of a slot as a gallery. */
export const SlotPreview = ({ id }: { readonly id: string }) => {
  const { content } = useTexts()
  const { media } = useSlot(id)
  return (
    <SimpleGrid
      cols={media.length === 1 ? 1 : { base: 1, sm: 2 }}
      my="md"
      role="group"
      aria-label={content.slot}
    >
      {media.map((medium, index) => (
        // Media have no identity other than their position.
        // oxlint-disable-next-line react/no-array-index-key
        <Medium key={index} medium={medium} />
      ))}
    </SimpleGrid>
  )
}
