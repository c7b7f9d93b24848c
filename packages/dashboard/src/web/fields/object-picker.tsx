import { Badge, Combobox, Group, Modal, Stack, Text, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import type { JsonObject } from '@publishing-service/domain/json'
import { model } from 'virtual:model'
import { textOf } from '../../json.js'
import { isSearchable } from '../../content/search-text.js'
import { DateTime } from '../layout/date-time.js'
import { Loaded } from '../layout/messages.js'
import { Pager } from '../layout/pager.js'
import { PublicationBadge } from '../publication/publication-status.js'
import { canSearch, resourceNamed } from '../service/place.js'
import { titleFieldsOf, titleIn } from '../service/titles.js'
import { useRows } from '../service/use-object.js'
import { useTexts, wordOf } from '../texts/texts.js'

const rpp = 20

/** The date by which one knows an object: of the event, of its publication, or of its last change. */
const dateFields = ['dtstart', 'issued', 'modified', 'created'] as const

const dateOf = (row: JsonObject) => dateFields.map((name) => row[name] ?? null).find((date) => date !== null)

/** The newest first, where that is recorded. */
const orders = ['modified.desc', 'ord', 'title'] as const

/** A page of the objects that contain the text, otherwise of all. */
const useChoices = (collection: string, text: string, page: number) => {
  const resource = resourceNamed(collection)
  const columns = resource?.columns ?? []
  const order = orders.find((option) => resource?.orders.includes(option.split('.')[0] ?? ''))
  // The path tells objects of a tree apart.
  const tree = resource?.parent === undefined ? [] : ['path']
  const shown = ['state', resource?.variant ?? '', ...tree, ...dateFields].filter((name) =>
    columns.includes(name),
  )
  return useRows(resource?.segments ?? collection, {
    fields: [...new Set(['uuid', ...titleFieldsOf(collection), ...shown])],
    page,
    // Without a search, the rows of a page are filtered here.
    rpp: canSearch(collection) ? rpp : model.maxRpp,
    ...(text === '' ? (order === undefined ? {} : { order }) : { q: text }),
  })
}

type RowProps = { readonly collection: string; readonly row: JsonObject; readonly isTaken: boolean }

const Choice = ({ collection, row, isTaken }: RowProps) => {
  const texts = useTexts()
  const { state, path, [resourceNamed(collection)?.variant ?? '']: kind } = row
  const date = dateOf(row)
  const details = [textOf(path), typeof kind === 'string' ? wordOf(texts, kind) : null].filter(
    (each) => each !== null,
  )
  return (
    <Group gap="xs" justify="space-between">
      <Text size="sm" fw={600}>
        {titleIn(row) ?? texts.list.untitled}
      </Text>
      <Group gap="xs">
        {isTaken && (
          <Badge variant="light" size="sm" leftSection={<IconCheck size={12} aria-hidden />}>
            {texts.form.chosen}
          </Badge>
        )}
        {details.map((detail) => (
          <Text key={detail} size="xs" c="dimmed">
            {detail}
          </Text>
        ))}
        {typeof state === 'string' && <PublicationBadge row={row} />}
        {date !== undefined && (
          <Text size="xs" c="dimmed">
            <DateTime value={date} />
          </Text>
        )}
      </Group>
    </Group>
  )
}

type PickerProps = {
  readonly collection: string
  readonly title: string
  /** The objects that are chosen already. */
  readonly taken: readonly string[]
  readonly onClose: () => void
  readonly onChoose: (uuid: string) => void
}

/** A dialog in which an object of a collection is searched and chosen. */
export const ObjectPicker = ({ collection, title, taken, onClose, onChoose }: PickerProps) => {
  const { form, list } = useTexts()
  const [text, setText] = useState('')
  const [typed] = useDebouncedValue(text.trim(), 200)
  const [page, setPage] = useState(1)
  const combobox = useCombobox()
  const isSearched = canSearch(collection)
  const found = useChoices(collection, isSearched && isSearchable(typed) ? typed : '', page)
  const contains = (row: JsonObject): boolean =>
    isSearched || (titleIn(row) ?? '').toLowerCase().includes(typed.toLowerCase())
  return (
    <Modal opened onClose={onClose} size="xl" title={title}>
      <Combobox
        store={combobox}
        onOptionSubmit={(uuid) => {
          onChoose(uuid)
          onClose()
        }}
      >
        <Stack>
          <Combobox.EventsTarget>
            <TextInput
              type="search"
              aria-label={`${list.search}: ${title}`}
              placeholder={list.search}
              value={text}
              onChange={(event) => {
                setText(event.currentTarget.value)
                setPage(1)
                combobox.resetSelectedOption()
              }}
              data-autofocus
            />
          </Combobox.EventsTarget>
          <Loaded query={found}>
            {({ rows, more }) => {
              const shown = rows.filter(contains)
              return (
                <>
                  <Combobox.Options>
                    {shown.map((row) => {
                      const uuid = String(row['uuid'])
                      const isTaken = taken.includes(uuid)
                      return (
                        <Combobox.Option key={uuid} value={uuid} disabled={isTaken}>
                          <Choice collection={collection} row={row} isTaken={isTaken} />
                        </Combobox.Option>
                      )
                    })}
                    {shown.length === 0 && <Combobox.Empty>{form.noMatch}</Combobox.Empty>}
                  </Combobox.Options>
                  <Pager page={page} hasMore={more} onChange={setPage} />
                </>
              )
            }}
          </Loaded>
        </Stack>
      </Combobox>
    </Modal>
  )
}
