import { Button, Group, Input, Stack, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { pairsIn, valueOfPairs, type Pair } from '../../content/pairs.js'
import { IconAction } from '../layout/icon-action.js'
import { useTexts } from '../texts/texts.js'
import { wrapperOf, type InputProps } from './input-props.js'

/** Names, and a text for each, one below the other. */
export const PairsInput = (props: InputProps<'pairs'>) => {
  const { label, value, onChange, disabled } = props
  const { form } = useTexts()
  // Also those that have no name yet.
  const [pairs, setPairs] = useState<readonly Pair[]>(() => pairsIn(value))
  const set = (next: readonly Pair[]) => {
    setPairs(next)
    onChange(valueOfPairs(next))
  }
  return (
    <Input.Wrapper {...wrapperOf(props)} labelElement="div">
      <Stack gap="xs" mt={4}>
        {pairs.map(({ name, text }, index) => (
          // Pairs have no identity other than their position.
          // oxlint-disable-next-line react/no-array-index-key
          <Group key={index} wrap="nowrap" gap={4}>
            <TextInput
              flex={1}
              aria-label={form.pairName({ pair: `${label} ${index + 1}` })}
              placeholder={form.pairName({ pair: label })}
              value={name}
              disabled={disabled}
              onChange={(event) => set(pairs.with(index, { name: event.currentTarget.value, text }))}
            />
            <TextInput
              flex={1}
              aria-label={form.pairText({ pair: `${label} ${index + 1}` })}
              placeholder={form.pairText({ pair: label })}
              value={text}
              disabled={disabled}
              onChange={(event) => set(pairs.with(index, { name, text: event.currentTarget.value }))}
            />
            <IconAction
              icon={IconTrash}
              label={`${form.remove}: ${label} ${index + 1}`}
              variant="default"
              size="lg"
              disabled={disabled}
              onClick={() => set(pairs.toSpliced(index, 1))}
            />
          </Group>
        ))}
        <div>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden />}
            disabled={disabled}
            onClick={() => set([...pairs, { name: '', text: '' }])}
            aria-label={`${form.add}: ${label}`}
          >
            {form.add}
          </Button>
        </div>
      </Stack>
    </Input.Wrapper>
  )
}
