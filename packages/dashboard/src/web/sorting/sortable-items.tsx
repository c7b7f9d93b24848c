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
import { IconArrowDown, IconArrowLeft, IconArrowRight, IconArrowUp } from '@tabler/icons-react'
import type { HTMLAttributes, ReactNode } from 'react'
import { movedItem } from '../../content/slot-media.js'
import { IconAction } from '../layout/icon-action.js'
import { useTexts } from '../texts/texts.js'

export type SortableItem = {
  /** Properties of the element that is dragged. It can be dragged with the keyboard too. */
  readonly handle: HTMLAttributes<HTMLElement>
  /** Buttons that move the item by one place. */
  readonly buttons: ReactNode
}

type ItemProps = {
  readonly index: number
  readonly count: number
  readonly label: string
  readonly isGrid: boolean
  readonly moveTo: (index: number) => void
  readonly children: (item: SortableItem) => ReactNode
}

const Item = ({ index, count, label, isGrid, moveTo, children }: ItemProps) => {
  const { sorting } = useTexts()
  const { attributes, listeners, setNodeRef, transform, transition } = useSortable({ id: String(index) })
  const [Before, After] = isGrid ? [IconArrowLeft, IconArrowRight] : [IconArrowUp, IconArrowDown]
  const button = (text: string, icon: typeof IconArrowUp, to: number) => (
    <IconAction
      icon={icon}
      label={`${text}: ${label}`}
      title={text}
      disabled={to < 0 || to >= count}
      onClick={() => moveTo(to)}
    />
  )
  return (
    <li ref={setNodeRef} style={{ transform: CSS.Transform.toString(transform), transition }}>
      {children({
        handle: { ...attributes, ...listeners, 'aria-label': `${sorting.move}: ${label}` },
        buttons: (
          <>
            {button(sorting.earlier, Before, index - 1)}
            {button(sorting.later, After, index + 1)}
          </>
        ),
      })}
    </li>
  )
}

type SortableProps<T> = {
  readonly items: readonly T[]
  readonly onMove: (items: readonly T[]) => void
  readonly labelOf: (item: T, index: number) => string
  /** What identifies an item, so that its buttons move with it. Default: its position. */
  readonly keyOf?: (item: T) => string
  readonly className?: string | undefined
  /** Whether the items are in rows and columns. */
  readonly isGrid?: boolean
  readonly children: (item: T, index: number, sortable: SortableItem) => ReactNode
}

/** Items in an order that is changed by dragging, or with buttons. */
export const SortableItems = <T,>({
  items,
  onMove,
  labelOf,
  keyOf,
  className,
  isGrid = false,
  children,
}: SortableProps<T>) => {
  const { sorting } = useTexts()
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 6 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const move = (from: number, to: number) => onMove(movedItem(items, from, to))
  const drop = ({ active, over }: DragEndEvent) => {
    if (over !== null && active.id !== over.id) move(Number(active.id), Number(over.id))
  }
  const nameOf = (id: UniqueIdentifier): string => {
    const item = items[Number(id)]
    return item === undefined ? '' : labelOf(item, Number(id))
  }
  const place = (id: UniqueIdentifier): number => Number(id) + 1
  const announcements: Announcements = {
    onDragStart: ({ active }) => sorting.lifted(nameOf(active.id), place(active.id), items.length),
    onDragOver: ({ active, over }) =>
      over === null ? undefined : sorting.over(nameOf(active.id), place(over.id), items.length),
    onDragEnd: ({ active, over }) =>
      sorting.dropped(nameOf(active.id), place((over ?? active).id), items.length),
    onDragCancel: ({ active }) => sorting.cancelled(nameOf(active.id), place(active.id)),
  }
  const ids = items.map((_item, index) => String(index))
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={drop}
      accessibility={{ announcements, screenReaderInstructions: { draggable: sorting.instructions } }}
    >
      <SortableContext items={ids} strategy={isGrid ? rectSortingStrategy : verticalListSortingStrategy}>
        <ul className={className}>
          {items.map((item, index) => (
            <Item
              key={keyOf?.(item) ?? index}
              index={index}
              count={items.length}
              label={labelOf(item, index)}
              isGrid={isGrid}
              moveTo={(to) => move(index, to)}
            >
              {(sortable) => children(item, index, sortable)}
            </Item>
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  )
}
