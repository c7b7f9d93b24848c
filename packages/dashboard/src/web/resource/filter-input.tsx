import { Group, MultiSelect, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { FilterField } from '@publishing-service/dashboard'
import { ReferenceInput } from '../fields/reference-input.js'
import { labelOf, useTexts, wordOf } from '../texts/texts.js'

type FilterProps = {
  readonly filter: FilterField
  /** As in the query; empty for none. */
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Two days, each of which may be left out. */
const PeriodInput = ({ filter, value, onChange }: FilterProps) => {
  const texts = useTexts()
  const [from = '', to = ''] = value.split('_')
  const label = labelOf(texts, filter.name)
  const set = (next: readonly [string, string]) => onChange(next.join('_') === '_' ? '' : next.join('_'))
  return (
    <Group gap={4} align="flex-end" wrap="nowrap">
      <TextInput
        type="date"
        label={label}
        aria-label={`${label}: ${texts.list.from}`}
        value={from}
        onChange={(event) => set([event.currentTarget.value, to])}
      />
      <TextInput
        type="date"
        aria-label={`${label}: ${texts.list.to}`}
        value={to}
        onChange={(event) => set([from, event.currentTarget.value])}
      />
    </Group>
  )
}

const ChoicesInput = ({
  filter,
  value,
  onChange,
  options,
}: FilterProps & { readonly options: readonly string[] }) => {
  const texts = useTexts()
  return (
    <MultiSelect
      label={labelOf(texts, filter.name)}
      data={options.map((option) => ({ value: option, label: wordOf(texts, option) }))}
      value={value === '' ? [] : value.split(',')}
      onChange={(next) => onChange(next.join(','))}
      miw={160}
      clearable
    />
  )
}

/** The input for a filter of a list. */
export const FilterInput = (props: FilterProps) => {
  const { filter, value, onChange } = props
  const texts = useTexts()
  const label = labelOf(texts, filter.name)
  const [draft, setDraft] = useState(value)
  switch (filter.value.kind) {
    case 'boolean':
      return (
        <NativeSelect
          label={label}
          value={value}
          data={[
            { value: '', label: texts.list.any },
            { value: 'true', label: texts.form.yes },
            { value: 'false', label: texts.form.no },
          ]}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    case 'choices':
      return <ChoicesInput {...props} options={filter.value.options} />
    case 'period':
      return <PeriodInput {...props} />
    case 'references':
      return (
        <ReferenceInput
          type={{ kind: 'reference', collection: filter.value.collection }}
          label={label}
          value={value === '' ? null : value}
          onChange={(next) => onChange(typeof next === 'string' ? next : '')}
        />
      )
    case 'text':
      return (
        <TextInput
          label={label}
          value={draft}
          onChange={(event) => setDraft(event.currentTarget.value)}
          onBlur={() => onChange(draft.trim())}
        />
      )
  }
}
