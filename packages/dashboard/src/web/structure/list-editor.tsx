import { Button, Group, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Field, ItemModel } from '@publishing-service/dashboard'
import { lostCharacters } from '../../content/lost-characters.js'
import { isLive } from '../../structure/uses.js'
import { useItemDialog } from '../fields/item-dialog.js'
import { ReferenceInput } from '../fields/reference-input.js'
import { ErrorMessage, ListConflict, Loaded } from '../layout/messages.js'
import { FileChooser } from '../library/file-picker.js'
import { SmallPicture } from '../library/thumbnail.js'
import { PublicationBadge, useInstanceTime } from '../publication/publication-status.js'
import { DiscardButton } from '../resource/discard-button.js'
import { FieldInputs } from '../resource/resource-form.js'
import { SaveErrors } from '../resource/save-bar.js'
import type { Versioned } from '../service/api.js'
import { useInstance } from '../service/place.js'
import { isJsonObject, textOf, itemsIn } from '../../json.js'
import { titleIn } from '../service/titles.js'
import { useUnsaved } from '../service/unsaved.js'
import { useDraft } from '../service/use-draft.js'
import { useObjects } from '../service/use-object.js'
import { useSave } from '../service/use-save.js'
import { OrderedList } from '../sorting/ordered-list.js'
import { useTexts } from '../texts/texts.js'

type ListProps = {
  /** The path of the list below the instance. */
  readonly path: string
  /** Reads the list with all `items`, and its entity tag. Objects in `included`, by UUID, need not be read one by one. */
  readonly read: () => Promise<Versioned>
  /** What is sent to save the list. */
  readonly toSend: (list: JsonObject, items: readonly JsonObject[]) => JsonObject
  /** The collection of the objects in the list. */
  readonly collection: string
  /** The name of the UUID in an item. */
  readonly id: 'uuid' | 'link_uuid'
  /** What an item has that is added, besides its UUID. */
  readonly added?: JsonObject
  /** What the list has besides its items: with `auto`, the service chooses them. */
  readonly settings?: readonly Field[]
  /** How an item is edited that has more than its UUID, and how one is added that has no UUID. */
  readonly editing?: { readonly title: string; readonly model: ItemModel; readonly addLink: string }
  readonly isAllowed: boolean
  readonly addText: string
  readonly saveText: string
  readonly saveLabel?: string
}

const Edited = ({ loaded, ...list }: ListProps & { readonly loaded: Versioned }) => {
  const { path, read, toSend, collection, id, settings = [], editing, isAllowed } = list
  const { conflict: texts } = useTexts()
  const { api, iid } = useInstance()
  const now = useInstanceTime()
  const [version, setVersion] = useState(loaded)
  const draft = useDraft(version.value)
  const saving = useSave((body, tag) => api.replace(path, body, tag), read)
  useUnsaved(draft.isChanged)
  const { auto, included } = draft.value
  const canOrder = isAllowed && auto !== true
  const items = itemsIn(auto === true ? draft.stored : draft.value)
  const setItems = (next: readonly JsonObject[]) => draft.set('items', next)
  const uuidOf = (item: JsonObject) => textOf(item[id])
  const uuids = items.flatMap((item) => uuidOf(item) ?? [])
  const known = isJsonObject(included) ? included : {}
  const { objects, error } = useObjects(
    collection,
    uuids.filter((uuid) => known[uuid] === undefined),
  )
  const objectOf = (item: JsonObject): JsonObject => {
    const uuid = uuidOf(item) ?? ''
    const object = known[uuid] ?? objects[uuid]
    return isJsonObject(object) ? object : item
  }
  const titleOf = (item: JsonObject): string =>
    textOf(item['title']) ?? titleIn(objectOf(item)) ?? textOf(item['link_url']) ?? uuidOf(item) ?? ''
  const add = (chosen: readonly string[]) =>
    setItems([
      ...items,
      ...chosen.filter((uuid) => !uuids.includes(uuid)).map((uuid) => ({ ...list.added, [id]: uuid })),
    ])
  const dialog = useItemDialog(items, setItems)
  const save = async (tag: string | null) => {
    if ((await saving.save(toSend(draft.value, itemsIn(draft.value)), tag)) === null) return
    setVersion(await read())
    draft.reset()
  }
  const { conflict } = saving
  return (
    <>
      {settings.length > 0 && (
        <FieldInputs
          fields={settings.filter(({ name }) => name === 'auto' || auto === true)}
          draft={draft}
          faults={saving.faults}
          isNew={false}
          disabled={!isAllowed}
        />
      )}
      <OrderedList
        items={items}
        onChange={setItems}
        onEdit={editing && dialog.edit}
        labelOf={titleOf}
        keyOf={(item) => uuidOf(item) ?? titleOf(item)}
        isAllowed={canOrder}
      >
        {(item) => {
          const uuid = uuidOf(item)
          const object = objectOf(item)
          return (
            <>
              {collection !== 'tags' && <SmallPicture of={[item, object]} />}
              <div style={{ minWidth: 0 }}>
                {uuid === null ? (
                  <Text fw={600}>{titleOf(item)}</Text>
                ) : (
                  <Link href={`/${iid}/${collection}/${uuid}`} className="row-link">
                    {titleOf(item)}
                  </Link>
                )}
                {collection === 'content' && !isLive(object, now) && (
                  <div>
                    <PublicationBadge row={object} />
                  </div>
                )}
              </div>
            </>
          )
        }}
      </OrderedList>
      {canOrder && (
        <Group align="flex-end">
          {collection === 'files' ? (
            <FileChooser media="image" multiple onChoose={(files) => add(files.map(({ uuid }) => uuid))}>
              {list.addText}
            </FileChooser>
          ) : (
            <ReferenceInput
              type={{ kind: 'reference', collection }}
              label={list.addText}
              value={null}
              taken={uuids}
              onChange={(uuid) => {
                if (typeof uuid === 'string') add([uuid])
              }}
            />
          )}
          {editing !== undefined && (
            <Button
              variant="subtle"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => dialog.create({ type: 'link' })}
            >
              {editing.addLink}
            </Button>
          )}
        </Group>
      )}
      {error !== null && <ErrorMessage error={error} />}
      {conflict === null ? (
        <SaveErrors {...saving} />
      ) : (
        <ListConflict
          title={texts.listTitle}
          mine={texts.keepMine}
          theirs={texts.takeTheirs}
          onKeep={() => void save(conflict.tag)}
          onTake={() => {
            setVersion(conflict)
            draft.reset()
            saving.clear()
          }}
        />
      )}
      {isAllowed && (
        <Group>
          <Button
            onClick={() => void save(version.tag)}
            disabled={!draft.isChanged}
            loading={saving.isSaving}
            aria-label={list.saveLabel}
          >
            {list.saveText}
          </Button>
          <DiscardButton lost={lostCharacters(draft)} disabled={!draft.isChanged} onDiscard={draft.reset} />
        </Group>
      )}
      {editing !== undefined && dialog.show(editing)}
    </>
  )
}

/** An ordered list of objects that another object has, such as the tags of a category. It is read, edited and saved as a whole. */
export const ListEditor = (list: ListProps) => {
  const { iid } = useInstance()
  const query = useQuery({ queryKey: [iid, list.path], queryFn: list.read, staleTime: Infinity, gcTime: 0 })
  return <Loaded query={query}>{(loaded) => <Edited {...list} loaded={loaded} />}</Loaded>
}
