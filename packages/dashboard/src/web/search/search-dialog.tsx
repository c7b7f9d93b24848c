import { ActionIcon, Badge, Group, Modal, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue, useDisclosure, useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import type { JsonObject } from '@publishing-service/domain/json'
import { model } from 'virtual:model'
import { Loaded } from '../layout/messages.js'
import { isSearchable } from '../../content/search-text.js'
import { useInstance } from '../service/place.js'
import { useRows } from '../service/use-object.js'
import { titleIn } from '../service/titles.js'
import { navigate } from '../service/unsaved.js'
import { collectionName, useTexts } from '../texts/texts.js'
import { Highlight } from './highlight.js'
import classes from './search.module.css'

const fields = ['uuid', 'type', 'title', 'highlight']

/** The path of the page of a found object. */
const pathOf = (iid: number, { type, uuid }: JsonObject): string => {
  const resource = model.resources.find(({ name }) => name === type)
  return `/${iid}/${resource?.collection ?? 'content'}/${String(uuid)}`
}

const Results = ({ words, onChoose }: { readonly words: string; readonly onChoose: () => void }) => {
  const { collections, list } = useTexts()
  const { iid } = useInstance()
  const found = useRows('search', { fields, q: words, rpp: 20 })
  const nameOf = (row: JsonObject): string => {
    const collection = model.resources.find(({ name }) => name === row['type'])?.collection ?? ''
    return collectionName(collections, collection)
  }
  return (
    <Loaded query={found}>
      {({ rows }) => (
        <Stack gap={4} aria-live="polite">
          {rows.length === 0 && <Text c="dimmed">{list.emptyFiltered}</Text>}
          {rows.length > 0 && (
            <Stack gap={4} role="list">
              {rows.map((row) => (
                <div key={String(row['uuid'])} role="listitem">
                  <UnstyledButton
                    className={classes['result']}
                    onClick={() => {
                      onChoose()
                      navigate(pathOf(iid, row))
                    }}
                  >
                    <Group gap="xs" wrap="nowrap" justify="space-between">
                      <Text fw={600} lineClamp={1}>
                        {titleIn(row) ?? list.untitled}
                      </Text>
                      <Badge variant="light" color="gray" size="sm">
                        {nameOf(row)}
                      </Badge>
                    </Group>
                    <Highlight row={row} />
                  </UnstyledButton>
                </div>
              ))}
            </Stack>
          )}
        </Stack>
      )}
    </Loaded>
  )
}

/** A search over all collections, as one types: opened by its button, by Ctrl+K, or by a slash. */
export const SearchDialog = () => {
  const { list } = useTexts()
  const [isOpen, { open, close }] = useDisclosure(false)
  const [text, setText] = useState('')
  const [words] = useDebouncedValue(text.trim(), 200)
  useHotkeys([
    ['mod+K', open],
    ['/', open],
  ])
  return (
    <>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={list.searchAll}
        title={list.searchAll}
        onClick={open}
      >
        <IconSearch size={18} aria-hidden />
      </ActionIcon>
      <Modal opened={isOpen} onClose={close} title={list.searchAll} size="lg">
        <Stack>
          <TextInput
            type="search"
            aria-label={list.search}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            data-autofocus
          />
          {isSearchable(words) && <Results words={words} onChoose={close} />}
        </Stack>
      </Modal>
    </>
  )
}
