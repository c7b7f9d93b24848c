import type { ComponentType } from 'react'
import { Button, Group, Input, Stack, TagsInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import { movedItem } from '../../content/slot-media.js'
import { IconAction } from '../layout/icon-action.js'
import { listOf } from '../../json.js'
import { useTexts } from '../texts/texts.js'
import { wrapperOf, type InputProps } from './input-props.js'

/** With the input of an item, which may be a list itself. */
type ListProps = InputProps<'list'> & { readonly Item: ComponentType<InputProps> }

/** Values in order, each with its input. */
const ItemsInput = (props: ListProps) => {
  const { Item, type, label, value, onChange, disabled } = props
  const { form } = useTexts()
  const items = listOf(value)
  const { item, maxItems = Infinity } = type
  const button = (text: string, icon: typeof IconTrash, index: number, isOff: boolean, run: () => void) => (
    <IconAction
      icon={icon}
      label={`${text}: ${label} ${index + 1}`}
      variant="default"
      size="lg"
      disabled={disabled === true || isOff}
      onClick={run}
    />
  )
  return (
    <Input.Wrapper {...wrapperOf(props)} labelElement="div">
      <Stack gap="xs" mt={4}>
        {items.map((each, index) => (
          // Items have no identity other than their position.
          // oxlint-disable-next-line react/no-array-index-key
          <Group key={index} align="flex-end" wrap="nowrap" gap={4}>
            <div style={{ flex: 1 }}>
              <Item
                type={item}
                label={`${label} ${index + 1}`}
                value={each}
                taken={items.flatMap((other) => (typeof other === 'string' ? [other] : []))}
                onChange={(next) => onChange(items.with(index, next))}
                disabled={disabled}
              />
            </div>
            {button(form.moveUp, IconArrowUp, index, index === 0, () =>
              onChange(movedItem(items, index, index - 1)),
            )}
            {button(form.moveDown, IconArrowDown, index, index === items.length - 1, () =>
              onChange(movedItem(items, index, index + 1)),
            )}
            {button(form.remove, IconTrash, index, false, () => onChange(items.toSpliced(index, 1)))}
          </Group>
        ))}
        <div>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden />}
            disabled={disabled === true || items.length >= maxItems}
            onClick={() => onChange([...items, item.kind === 'object' ? {} : null])}
            aria-label={`${form.add}: ${label}`}
          >
            {form.add}
          </Button>
        </div>
      </Stack>
    </Input.Wrapper>
  )
}

/** A list: short texts as one input, other values one below the other. */
export const ListInput = (props: ListProps) => {
  const { type, value, onChange, disabled } = props
  if (type.item.kind !== 'text' || type.item.isLong) return <ItemsInput {...props} />
  return (
    <TagsInput
      {...wrapperOf(props)}
      disabled={disabled}
      splitChars={[]}
      value={listOf(value).map(String)}
      onChange={(next) => onChange(next)}
      maxTags={type.maxItems}
    />
  )
}
