import {
  Anchor,
  CloseButton,
  Combobox,
  Group,
  Input,
  InputBase,
  ScrollArea,
  Text,
  useCombobox,
} from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { isSearchable } from '../../content/search-text.js'
import { resourceNamed, useInstance } from '../service/instance-context.js'
import { titleFieldsOf, titleIn } from '../service/titles.js'
import { useTexts } from '../texts/texts.js'
import type { InputProps } from './input-props.js'

const rpp = 50

/** The title of an object that is referred to. */
export const useTitle = (collection: string, uuid: string | null): string | null => {
  const { api, iid } = useInstance()
  const { data } = useQuery({
    queryKey: [iid, collection, uuid],
    queryFn: async () => api.read(`${resourceNamed(collection)?.segments ?? collection}/${uuid}`),
    enabled: uuid !== null,
  })
  return data === undefined ? null : titleIn(data.value)
}

/** Objects of the collection to choose from: those that contain the text, otherwise the newest. */
const useChoices = (collection: string, text: string, isOpen: boolean) => {
  const { api, iid } = useInstance()
  const resource = resourceNamed(collection)
  const order = ['title', 'created', 'ord'].find((option) => resource?.orders.includes(option))
  const canSearch = resource?.filters.some(({ name }) => name === 'q') === true
  const fields = ['uuid', ...titleFieldsOf(collection)]
  return useQuery({
    queryKey: [iid, collection, 'choices', canSearch ? text : ''],
    queryFn: ({ signal }) =>
      api.list(
        resource?.segments ?? collection,
        {
          fields,
          rpp,
          ...(canSearch && text !== '' ? { q: text } : order === undefined ? {} : { order }),
        },
        signal,
      ),
    enabled: isOpen,
  })
}

/** An object of a collection, chosen by its title. */
export const ReferenceInput = ({
  type,
  label,
  help,
  fault,
  value,
  onChange,
  required,
  disabled,
}: InputProps<'reference'>) => {
  const { form, list } = useTexts()
  const { iid } = useInstance()
  const uuid = typeof value === 'string' ? value : null
  const title = useTitle(type.collection, uuid)
  const combobox = useCombobox({ onDropdownClose: () => setText('') })
  const [text, setText] = useState('')
  const [searched] = useDebouncedValue(text, 200)
  const canSearch = resourceNamed(type.collection)?.filters.some(({ name }) => name === 'q') === true
  const { data } = useChoices(
    type.collection,
    isSearchable(searched) ? searched : '',
    combobox.dropdownOpened,
  )
  const choices = (data?.rows ?? [])
    .map((row) => ({ uuid: String(row['uuid']), title: titleIn(row) ?? list.untitled }))
    .filter((each) => canSearch || each.title.toLowerCase().includes(text.toLowerCase()))
  return (
    <Input.Wrapper label={label} description={help} error={fault} withAsterisk={required} labelElement="div">
      <Combobox
        store={combobox}
        onOptionSubmit={(chosen) => {
          onChange(chosen)
          combobox.closeDropdown()
        }}
      >
        <Combobox.Target targetType="button">
          <InputBase
            component="button"
            type="button"
            pointer
            disabled={disabled}
            aria-label={`${label}: ${title ?? (uuid === null ? form.choose : uuid)}`}
            onClick={() => combobox.toggleDropdown()}
            rightSection={
              uuid === null || disabled === true ? (
                <Combobox.Chevron />
              ) : (
                <CloseButton
                  size="sm"
                  aria-label={`${form.clear}: ${label}`}
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => onChange(null)}
                />
              )
            }
            rightSectionPointerEvents={uuid === null ? 'none' : 'all'}
          >
            {uuid === null ? <Input.Placeholder>{form.choose}</Input.Placeholder> : (title ?? uuid)}
          </InputBase>
        </Combobox.Target>
        <Combobox.Dropdown>
          <Combobox.Search
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            placeholder={list.search}
            aria-label={`${list.search}: ${label}`}
          />
          <Combobox.Options>
            <ScrollArea.Autosize mah={260}>
              {choices.map((choice) => (
                <Combobox.Option key={choice.uuid} value={choice.uuid}>
                  {choice.title}
                </Combobox.Option>
              ))}
              {choices.length === 0 && <Combobox.Empty>{form.noMatch}</Combobox.Empty>}
            </ScrollArea.Autosize>
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      {uuid !== null && (
        <Group gap={4} mt={2}>
          <Text size="xs" c="dimmed">
            <Anchor component={Link} href={`/${iid}/${type.collection}/${uuid}`} size="xs">
              {title ?? uuid}
            </Anchor>
          </Text>
        </Group>
      )}
    </Input.Wrapper>
  )
}
