import {
  closestCenter,
  DndContext,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
  type DragEndEvent,
} from '@dnd-kit/core'
import {
  rectSortingStrategy,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
} from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { ActionIcon, Group, Text } from '@mantine/core'
import { IconArrowLeft, IconArrowRight, IconPencil, IconTrash } from '@tabler/icons-react'
import type { JsonObject } from '@publishing-service/domain'
import { movedItem } from '../../content/slot-media.js'
import libraryClasses from '../library/library.module.css'
import { Thumbnail } from '../library/thumbnail.js'
import { useTexts } from '../texts/texts.js'
import classes from './media-grid.module.css'
import { useMediumImage } from './use-medium-image.js'

type GridProps = {
  readonly media: readonly JsonObject[]
  readonly onMove: (media: readonly JsonObject[]) => void
  readonly onEdit: (index: number) => void
  readonly onRemove: (index: number) => void
}

type TileProps = Omit<GridProps, 'media' | 'onMove'> & {
  readonly medium: JsonObject
  readonly index: number
  readonly count: number
  readonly moveTo: (index: number) => void
}

const MediumTile = ({ medium, index, count, moveTo, onEdit, onRemove }: TileProps) => {
  const { content } = useTexts()
  const { attributes, listeners, setNodeRef, transform, transition } = useSortable({ id: String(index) })
  const image = useMediumImage(medium)
  const title = typeof medium['title'] === 'string' ? medium['title'] : content.medium(index + 1)
  const tool = (label: string, Symbol: typeof IconPencil, run: () => void, isDisabled = false) => (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      aria-label={`${label}: ${title}`}
      title={label}
      disabled={isDisabled}
      onClick={run}
    >
      <Symbol size={16} aria-hidden />
    </ActionIcon>
  )
  return (
    <li ref={setNodeRef} style={{ transform: CSS.Transform.toString(transform), transition }}>
      <div
        className={classes['image']}
        {...attributes}
        {...listeners}
        aria-label={`${content.moveMedium}: ${title}`}
      >
        <Thumbnail download={image} mimetype="image/jpeg" alt="" />
      </div>
      <Text size="xs" lineClamp={1} mt={2}>
        {title}
      </Text>
      <Group gap={0} wrap="nowrap">
        {tool(content.earlier, IconArrowLeft, () => moveTo(index - 1), index === 0)}
        {tool(content.later, IconArrowRight, () => moveTo(index + 1), index === count - 1)}
        {tool(content.editMedium, IconPencil, () => onEdit(index))}
        {tool(content.removeMedium, IconTrash, () => onRemove(index))}
      </Group>
    </li>
  )
}

/** The media of a slot in their order, which is changed by dragging or with buttons. */
export const MediaGrid = ({ media, onMove, onEdit, onRemove }: GridProps) => {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 6 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const move = (from: number, to: number) => onMove(movedItem(media, from, to))
  const drop = ({ active, over }: DragEndEvent) => {
    if (over !== null && active.id !== over.id) move(Number(active.id), Number(over.id))
  }
  const ids = media.map((_medium, index) => String(index))
  return (
    <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={drop}>
      <SortableContext items={ids} strategy={rectSortingStrategy}>
        <ul className={libraryClasses['grid']}>
          {media.map((medium, index) => (
            <MediumTile
              // Media have no identity other than their position.
              // oxlint-disable-next-line react/no-array-index-key
              key={index}
              medium={medium}
              index={index}
              count={media.length}
              moveTo={(to) => move(index, to)}
              onEdit={onEdit}
              onRemove={onRemove}
            />
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  )
}
