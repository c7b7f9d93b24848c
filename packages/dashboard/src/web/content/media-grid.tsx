import { Group, Text } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { JsonObject } from '@publishing-service/domain'
import { IconAction } from '../layout/icon-action.js'
import libraryClasses from '../library/library.module.css'
import { Thumbnail } from '../library/thumbnail.js'
import { SortableItems, type SortableItem } from '../sorting/sortable-items.js'
import sortingClasses from '../sorting/sorting.module.css'
import { useTexts } from '../texts/texts.js'
import { useMediumImage } from './use-medium-image.js'

type Tools = { readonly onEdit: (index: number) => void; readonly onRemove: (index: number) => void }

type TileProps = Tools & {
  readonly medium: JsonObject
  readonly index: number
  readonly label: string
  readonly sortable: SortableItem
}

const MediumTile = ({ medium, index, label, sortable, onEdit, onRemove }: TileProps) => {
  const { content } = useTexts()
  const image = useMediumImage(medium)
  return (
    <>
      <div className={sortingClasses['handle']} {...sortable.handle}>
        <Thumbnail download={image} mimetype="image/jpeg" alt="" />
      </div>
      <Text size="xs" lineClamp={1} mt={2}>
        {label}
      </Text>
      <Group gap={0} wrap="nowrap">
        {sortable.buttons}
        <IconAction
          icon={IconPencil}
          label={`${content.editMedium}: ${label}`}
          onClick={() => onEdit(index)}
        />
        <IconAction
          icon={IconTrash}
          label={`${content.removeMedium}: ${label}`}
          onClick={() => onRemove(index)}
        />
      </Group>
    </>
  )
}

type GridProps = Tools & {
  readonly media: readonly JsonObject[]
  readonly onMove: (media: readonly JsonObject[]) => void
}

/** The media of a slot in their order. */
export const MediaGrid = ({ media, onMove, ...tools }: GridProps) => {
  const { content } = useTexts()
  const labelOf = ({ title }: JsonObject, index: number): string =>
    typeof title === 'string' ? title : content.medium(index + 1)
  return (
    <SortableItems items={media} onMove={onMove} labelOf={labelOf} className={libraryClasses['grid']} isGrid>
      {(medium, index, sortable) => (
        <MediumTile
          medium={medium}
          index={index}
          label={labelOf(medium, index)}
          sortable={sortable}
          {...tools}
        />
      )}
    </SortableItems>
  )
}
