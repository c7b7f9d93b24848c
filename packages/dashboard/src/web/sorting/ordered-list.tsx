import {
  closestCenter,
  DndContext,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
  type UniqueIdentifier,
  type Announcements,
  type DragEndEvent,
} from '@dnd-kit/core'
import {
  rectSortingStrategy,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { Group, Text } from '@mantine/core'
import {
  IconArrowDown,
  IconArrowLeft,
  IconArrowRight,
  IconArrowUp,
  IconGripVertical,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { movedItem } from '../../content/slot-media.js'
import { IconAction } from '../layout/icon-action.js'
import libraryClasses from '../library/library.module.css'
import { useTexts } from '../texts/texts.js'
import classes from './sorting.module.css'

export type ListProps<T> = {
  readonly items: readonly T[]
  readonly onChange: (items: readonly T[]) => void
  readonly labelOf: (item: T, index: number) => string
  /** What identifies an item, so that its buttons move with it. Default: its position. */
  readonly keyOf?: (item: T) => string
  readonly isAllowed: boolean
  /** Whether the items are in rows and columns, and are dragged as a whole. */
  readonly isGrid?: boolean
  readonly onEdit?: (index: number) => void
  /** The buttons after those that move an item. Default: those that edit and remove it. */
  readonly actions?: (item: T, index: number) => ReactNode
  /** What is below an item, and belongs to it. */
  readonly below?: (item: T) => ReactNode
  readonly rowClass?: string
  readonly children: (item: T, index: number) => ReactNode
}

const Item = <T,>({ item, index, ...list }: ListProps<T> & { readonly item: T; readonly index: number }) => {
  const { items, onChange, labelOf, isAllowed, isGrid = false, onEdit, actions, below, children } = list
  const { form, sorting } = useTexts()
  const { attributes, listeners, setNodeRef, transform, transition } = useSortable({ id: String(index) })
  const label = labelOf(item, index)
  const handle = { ...attributes, ...listeners, 'aria-label': `${sorting.move}: ${label}` }
  const mover = (text: string, icon: typeof IconArrowUp, to: number) => (
    <IconAction
      icon={icon}
      label={`${text}: ${label}`}
      title={text}
      disabled={to < 0 || to >= items.length}
      onClick={() => onChange(movedItem(items, index, to))}
    />
  )
  const buttons = isAllowed && (
    <Group gap={0} wrap="nowrap" ml={isGrid ? undefined : 'auto'}>
      {mover(sorting.earlier, isGrid ? IconArrowLeft : IconArrowUp, index - 1)}
      {mover(sorting.later, isGrid ? IconArrowRight : IconArrowDown, index + 1)}
      {actions?.(item, index) ?? (
        <>
          {onEdit !== undefined && (
            <IconAction icon={IconPencil} label={`${form.edit}: ${label}`} onClick={() => onEdit(index)} />
          )}
          <IconAction
            icon={IconTrash}
            label={`${form.remove}: ${label}`}
            onClick={() => onChange(items.toSpliced(index, 1))}
          />
        </>
      )}
    </Group>
  )
  return (
    <li ref={setNodeRef} style={{ transform: CSS.Transform.toString(transform), transition }}>
      {isGrid ? (
        <>
          <div className={classes['handle']} {...handle}>
            {children(item, index)}
          </div>
          {buttons}
        </>
      ) : (
        <Group gap="xs" wrap="nowrap" className={list.rowClass}>
          {isAllowed && (
            <div className={classes['handle']} {...handle}>
              <IconGripVertical size={18} aria-hidden />
            </div>
          )}
          {children(item, index)}
          {buttons}
        </Group>
      )}
      {below?.(item)}
    </li>
  )
}

/** Items in an order that is changed by dragging, or with buttons. */
export const OrderedList = <T,>(list: ListProps<T>) => {
  const { items, onChange, labelOf, keyOf, isGrid = false } = list
  const { list: texts, sorting } = useTexts()
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 6 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  if (items.length === 0) return <Text c="dimmed">{texts.empty}</Text>
  const drop = ({ active, over }: DragEndEvent) => {
    if (over !== null && active.id !== over.id) onChange(movedItem(items, Number(active.id), Number(over.id)))
  }
  const nameOf = (id: UniqueIdentifier): string => {
    const item = items[Number(id)]
    return item === undefined ? '' : labelOf(item, Number(id))
  }
  const place = (id: UniqueIdentifier): string =>
    sorting.place({ place: Number(id) + 1, count: items.length })
  const announcements: Announcements = {
    onDragStart: ({ active }) => sorting.lifted({ name: nameOf(active.id), place: place(active.id) }),
    onDragOver: ({ active, over }) =>
      over === null ? undefined : sorting.over({ name: nameOf(active.id), place: place(over.id) }),
    onDragEnd: ({ active, over }) =>
      sorting.dropped({ name: nameOf(active.id), place: place((over ?? active).id) }),
    onDragCancel: ({ active }) => sorting.cancelled({ name: nameOf(active.id), place: place(active.id) }),
  }
  const keys = items.map((item, index) => keyOf?.(item) ?? String(index))
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={drop}
      accessibility={{ announcements, screenReaderInstructions: { draggable: sorting.instructions } }}
    >
      <SortableContext
        items={keys.map((_key, index) => String(index))}
        strategy={isGrid ? rectSortingStrategy : verticalListSortingStrategy}
      >
        <ul className={isGrid ? libraryClasses['grid'] : classes['list']}>
          {items.map((item, index) => (
            // An object can be in a list twice.
            <Item
              key={keys.indexOf(keys[index] ?? '') === index ? keys[index] : index}
              item={item}
              index={index}
              {...list}
            />
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  )
}
