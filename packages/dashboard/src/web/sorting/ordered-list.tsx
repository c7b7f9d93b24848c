import { Group, Text } from '@mantine/core'
import { IconGripVertical, IconPencil, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { IconAction } from '../layout/icon-action.js'
import { useTexts } from '../texts/texts.js'
import { SortableItems } from './sortable-items.js'
import classes from './sorting.module.css'

type ListProps<T> = {
  readonly items: readonly T[]
  readonly onChange: (items: readonly T[]) => void
  readonly onEdit?: (index: number) => void
  readonly labelOf: (item: T, index: number) => string
  readonly keyOf?: (item: T) => string
  /** Shown if there are no items. */
  readonly none: string
  readonly isAllowed: boolean
  readonly children: (item: T) => ReactNode
}

/** Items one below the other, which are moved, edited and removed. */
export const OrderedList = <T,>({
  items,
  onChange,
  onEdit,
  labelOf,
  none,
  isAllowed,
  children,
  ...sortable
}: ListProps<T>) => {
  const { form } = useTexts()
  if (items.length === 0) return <Text c="dimmed">{none}</Text>
  return (
    <SortableItems
      items={items}
      onMove={onChange}
      labelOf={labelOf}
      className={classes['list']}
      {...sortable}
    >
      {(item, index, { handle, buttons }) => (
        <Group gap="xs" wrap="nowrap">
          {isAllowed && (
            <div className={classes['handle']} {...handle}>
              <IconGripVertical size={18} aria-hidden />
            </div>
          )}
          {children(item)}
          {isAllowed && (
            <Group gap={0} wrap="nowrap" ml="auto">
              {buttons}
              {onEdit !== undefined && (
                <IconAction
                  icon={IconPencil}
                  label={`${form.edit}: ${labelOf(item, index)}`}
                  onClick={() => onEdit(index)}
                />
              )}
              <IconAction
                icon={IconTrash}
                label={`${form.remove}: ${labelOf(item, index)}`}
                onClick={() => onChange(items.toSpliced(index, 1))}
              />
            </Group>
          )}
        </Group>
      )}
    </SortableItems>
  )
}
