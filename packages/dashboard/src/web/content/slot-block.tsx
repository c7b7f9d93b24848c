import { ActionIcon, Alert, Badge, Button, Group, Menu, Paper, Stack, Text } from '@mantine/core'
import { IconGripVertical, IconPlus, IconSettings, IconTrash } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { JsonObject } from '@publishing-service/domain/json'
import { model } from 'virtual:model'
import { faultsByMedium } from '../../content/slot-media.js'
import { useItemDialog } from '../fields/item-dialog.js'
import { FieldInput } from '../fields/value-input.js'
import { ErrorMessage, ListConflict } from '../layout/messages.js'
import { FileChooser } from '../library/file-picker.js'
import { UploadList } from '../library/upload-list.js'
import { isServiceError } from '../service/session.js'
import { labelOf, useTexts, wordOf } from '../texts/texts.js'
import { externalAddress } from './external-address.js'
import { mediaModel } from './media-model.js'
import { useSlot, useSlots } from './slots.js'

/** Loaded with the first slot, because the library for dragging is large. */
const MediaGrid = lazy(async () => ({ default: (await import('./media-grid.js')).MediaGrid }))

const typesOfMedia = ['external', 'embed'] as const

const SlotErrors = ({ id, error }: { readonly id: string; readonly error: unknown }) => {
  const texts = useTexts()
  const { change, discard } = useSlots()
  if (isServiceError(error) && error.status === 412)
    return (
      <ListConflict
        title={texts.content.mediaConflict}
        mine={texts.content.keepMine}
        theirs={texts.content.takeTheirs}
        onKeep={() => change(id, { tag: null, error: null })}
        onTake={() => discard(id)}
      />
    )
  const faults = isServiceError(error) ? [...faultsByMedium(error.faults)] : []
  if (faults.length === 0) return <ErrorMessage error={error} />
  return (
    <Alert color="red" role="alert" title={texts.content.mediaNotSaved}>
      {faults.flatMap(([index, fields]) =>
        Object.entries(fields).map(([name, fault]) => (
          <Text size="sm" className="fault" key={`${index} ${name}`}>
            {index === -1 ? '' : `${texts.content.medium({ number: index + 1 })}, `}
            {labelOf(texts, name)}: {fault}
          </Text>
        )),
      )}
    </Alert>
  )
}

/** A media slot in the body: its settings and its media. */
export const SlotBlock = ({ id, remove }: { readonly id: string; readonly remove: () => void }) => {
  const texts = useTexts()
  const { change, uploadsOf } = useSlots()
  const { stored, draft, settings, media } = useSlot(id)
  const [hasSettings, setHasSettings] = useState(false)
  const setMedia = (next: readonly JsonObject[]) =>
    change(id, { media: next, tag: draft.media === null ? stored.tag : draft.tag, error: null })
  const dialog = useItemDialog(media, setMedia)

  return (
    <Paper withBorder p="xs" my="xs" role="group" aria-label={texts.content.slot}>
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Group gap="xs" wrap="nowrap">
            <ActionIcon
              variant="subtle"
              color="gray"
              component="span"
              data-drag-handle
              draggable
              title={texts.content.dragSlot}
            >
              <IconGripVertical size={18} aria-hidden />
            </ActionIcon>
            <Text fw={600} size="sm">
              {texts.content.slot}
            </Text>
            {['display', 'relevance'].map((name) => {
              const value = settings[name]
              return typeof value === 'string' ? (
                <Badge key={name} variant="light" color="gray" size="sm">
                  {wordOf(texts, value)}
                </Badge>
              ) : null
            })}
          </Group>
          <Group gap={4}>
            <FileChooser
              variant="light"
              leftSection={<IconPlus size={14} aria-hidden />}
              media="image"
              multiple
              onChoose={(files) =>
                setMedia([
                  ...media,
                  ...files.map(({ uuid, title }): JsonObject => ({ type: 'file', image_uuid: uuid, title })),
                ])
              }
            >
              {texts.content.addFiles}
            </FileChooser>
            <Menu>
              <Menu.Target>
                <Button size="xs" variant="subtle">
                  {texts.content.addOther}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {typesOfMedia.map((type) => (
                  <Menu.Item key={type} onClick={() => dialog.create({ type })}>
                    {texts.content.mediaTypes[type]}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={texts.content.slotSettings}
              aria-expanded={hasSettings}
              onClick={() => setHasSettings(!hasSettings)}
            >
              <IconSettings size={18} aria-hidden />
            </ActionIcon>
            <ActionIcon variant="subtle" color="red" aria-label={texts.content.removeSlot} onClick={remove}>
              <IconTrash size={18} aria-hidden />
            </ActionIcon>
          </Group>
        </Group>
        {hasSettings && (
          <Group align="flex-start">
            {model.slot.map((field) => (
              <FieldInput
                key={field.name}
                field={field}
                value={settings[field.name] ?? field.initial}
                onChange={(value) => change(id, { settings: { ...draft.settings, [field.name]: value } })}
              />
            ))}
          </Group>
        )}
        {draft.error !== null && <SlotErrors id={id} error={draft.error} />}
        <UploadList {...uploadsOf(id)} />
        <Suspense>
          <MediaGrid items={media} onChange={setMedia} onEdit={dialog.edit} />
        </Suspense>
      </Stack>
      {dialog.show({
        title: texts.form.edit,
        model: mediaModel,
        specialOf: ({ type }) => (type === 'external' ? externalAddress : undefined),
      })}
    </Paper>
  )
}
