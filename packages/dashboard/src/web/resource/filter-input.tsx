import { Group, MultiSelect, NativeSelect, TextInput } from '@mantine/core'
import type { FilterField } from '@publishing-service/dashboard'
import { ReferenceInput } from '../fields/reference-input.js'
import { usePeople } from '../service/use-people.js'
import { labelOf, useTexts, wordOf } from '../texts/texts.js'

type Period = readonly [from: string, to: string]

type PeriodProps = {
  readonly label: string
  readonly value: Period
  readonly onChange: (value: Period) => void
}

/** Two days, each of which may be left out. */
export const PeriodInput = ({ label, value: [from, to], onChange }: PeriodProps) => {
  const { list } = useTexts()
  return (
    <Group gap={4} align="flex-end" wrap="nowrap">
      <TextInput
        type="date"
        label={label}
        aria-label={`${label}: ${list.from}`}
        value={from}
        onChange={(event) => onChange([event.currentTarget.value, to])}
      />
      <TextInput
        type="date"
        aria-label={`${label}: ${list.to}`}
        value={to}
        onChange={(event) => onChange([from, event.currentTarget.value])}
      />
    </Group>
  )
}

type FilterProps = {
  readonly filter: FilterField
  /** As in the query; empty for none. */
  readonly value: string
  readonly onChange: (value: string) => void
}

type PersonProps = {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** One of those who may edit the instance. */
const PersonSelect = ({ label, value, onChange }: PersonProps) => {
  const { list } = useTexts()
  const people = usePeople()
  return (
    <NativeSelect
      label={label}
      value={value}
      data={[
        { value: '', label: list.any },
        ...people.map(({ uuid, name }) => ({ value: uuid, label: name })),
      ]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** The input for a filter of a list. Texts are filtered by the search. */
export const FilterInput = ({ filter, value, onChange }: FilterProps) => {
  const texts = useTexts()
  const label = labelOf(texts, filter.name)
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
      return (
        <MultiSelect
          label={label}
          data={filter.value.options.map((option) => ({ value: option, label: wordOf(texts, option) }))}
          value={value === '' ? [] : value.split(',')}
          onChange={(next) => onChange(next.join(','))}
          {...(value === '' && { placeholder: texts.list.any })}
          miw={160}
          clearable
        />
      )
    case 'period': {
      const [from = '', to = ''] = value.split('_')
      return (
        <PeriodInput
          label={label}
          value={[from, to]}
          onChange={(next) => onChange(next.join('_') === '_' ? '' : next.join('_'))}
        />
      )
    }
    case 'references':
      return (
        <ReferenceInput
          type={{ kind: 'reference', collection: filter.value.collection }}
          label={label}
          value={value === '' ? null : value}
          onChange={(next) => onChange(typeof next === 'string' ? next : '')}
        />
      )
    case 'people':
      return <PersonSelect label={label} value={value} onChange={onChange} />
    case 'text':
      return null
  }
}
