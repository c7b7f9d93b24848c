import { ActionIcon, Button, Fieldset, Group, Stack, Text } from '@mantine/core'
import { IconGripVertical, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import type { JsonObject } from '@publishing-service/domain'
import { lostCharacters } from '../../content/lost-characters.js'
import { mediaIn } from '../../content/slot-media.js'
import { ErrorMessage, Loaded } from '../layout/messages.js'
import { Thumbnail } from '../library/thumbnail.js'
import { fileRow } from '../library/use-files.js'
import { ConflictAlert } from '../resource/conflict-alert.js'
import { DiscardButton } from '../resource/discard-button.js'
import { SaveErrors } from '../resource/save-bar.js'
import type { Versioned } from '../service/api.js'
import { resourceNamed, useInstance } from '../service/instance-context.js'
import { titleIn } from '../service/titles.js'
import { useUnsaved } from '../service/unsaved.js'
import { useDraft } from '../service/use-draft.js'
import { useSave } from '../service/use-save.js'
import { SortableItems } from '../sorting/sortable-items.js'
import sortingClasses from '../sorting/sorting.module.css'
import { useTexts } from '../texts/texts.js'
import classes from './structure.module.css'

type ListProps = {
  readonly title: string
  /** Shown if there are no members. */
  readonly none: string
  readonly saveLabel: string
  /** The path of the list below the instance. */
  readonly path: string
  /** The name of the UUID in an item that is sent. */
  readonly item: 'uuid' | 'tag_uuid'
  /** The collection of the members. */
  readonly collection: string
  readonly isAllowed: boolean
  /** Reads all members, as `items`, and the entity tag of the list. */
  readonly read: () => Promise<Versioned>
  /** The control that adds members. */
  readonly chooser: (add: (uuids: readonly string[]) => void, members: readonly string[]) => ReactNode
}

const Members = ({
  title,
  none,
  saveLabel,
  path,
  item,
  collection,
  isAllowed,
  read,
  chooser,
  loaded,
}: ListProps & { readonly loaded: Versioned }) => {
  const { form } = useTexts()
  const { api, iid } = useInstance()
  const [version, setVersion] = useState(loaded)
  const [addError, setAddError] = useState<unknown>(null)
  const draft = useDraft(version.value)
  const saving = useSave((body, tag) => api.replace(path, body, tag), read)
  useUnsaved(draft.isChanged)
  const [added, setAdded] = useState<Readonly<Record<string, JsonObject>>>({})
  const members = mediaIn(draft.value)
  const uuidOf = ({ uuid }: JsonObject): string => String(uuid)
  const shown = (member: JsonObject): JsonObject => added[uuidOf(member)] ?? member
  const titleOf = (member: JsonObject): string => titleIn(shown(member)) ?? uuidOf(member)
  const setMembers = (next: readonly JsonObject[]) => draft.set('items', next)
  const save = async (tag: string | null) => {
    const items = members.map((member) => ({ [item]: uuidOf(member) }))
    if ((await saving.save({ items }, tag)) === null) return
    setVersion(await read())
    draft.reset()
  }
  const add = async (uuids: readonly string[]) => {
    setAddError(null)
    const further = uuids.filter((uuid) => !members.some((member) => uuidOf(member) === uuid))
    setMembers([...members, ...further.map((uuid) => ({ uuid }))])
    try {
      const segments = resourceNamed(collection)?.segments ?? collection
      const found = await Promise.all(further.map((uuid) => api.read(`${segments}/${uuid}`)))
      setAdded((current) => ({
        ...current,
        ...Object.fromEntries(found.map(({ value }) => [uuidOf(value), value])),
      }))
    } catch (error) {
      setAddError(error)
    }
  }
  return (
    <Fieldset legend={title}>
      <Stack gap="sm">
        {members.length === 0 && <Text c="dimmed">{none}</Text>}
        <SortableItems
          items={members}
          onMove={setMembers}
          labelOf={titleOf}
          keyOf={uuidOf}
          className={sortingClasses['list']}
        >
          {(member, index, { handle, buttons }) => (
            <Group gap="xs" wrap="nowrap">
              {isAllowed && (
                <div className={sortingClasses['handle']} {...handle}>
                  <IconGripVertical size={18} aria-hidden />
                </div>
              )}
              {collection === 'files' && (
                <div className={classes['picture']}>
                  <Thumbnail
                    download={fileRow(shown(member)).download_url}
                    mimetype={fileRow(shown(member)).mimetype}
                    alt=""
                    width={120}
                  />
                </div>
              )}
              <Link href={`/${iid}/${collection}/${uuidOf(member)}`} className="row-link">
                {titleOf(member)}
              </Link>
              {isAllowed && (
                <Group gap={0} wrap="nowrap" ml="auto">
                  {buttons}
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size="sm"
                    aria-label={`${form.remove}: ${titleOf(member)}`}
                    onClick={() => setMembers(members.toSpliced(index, 1))}
                  >
                    <IconTrash size={16} aria-hidden />
                  </ActionIcon>
                </Group>
              )}
            </Group>
          )}
        </SortableItems>
        {isAllowed && (
          <>
            {chooser((uuids) => void add(uuids), members.map(uuidOf))}
            {addError !== null && <ErrorMessage error={addError} />}
            {saving.conflict === null ? (
              <SaveErrors {...saving} />
            ) : (
              <ConflictAlert
                onKeep={() => void save(saving.conflict?.tag ?? null)}
                onDiscard={() => {
                  if (saving.conflict !== null) setVersion(saving.conflict)
                  draft.reset()
                  saving.clear()
                }}
              />
            )}
            <Group>
              <Button
                onClick={() => void save(version.tag)}
                disabled={!draft.isChanged}
                loading={saving.isSaving}
              >
                {saveLabel}
              </Button>
              <DiscardButton
                lost={lostCharacters(draft)}
                disabled={!draft.isChanged}
                onDiscard={draft.reset}
              />
            </Group>
          </>
        )}
      </Stack>
    </Fieldset>
  )
}

/** An ordered list of objects that another object has, such as the tags of a category. It is saved as a whole. */
export const MemberList = (props: ListProps) => {
  const { iid } = useInstance()
  const query = useQuery({ queryKey: [iid, props.path], queryFn: props.read, staleTime: Infinity, gcTime: 0 })
  return <Loaded query={query}>{(loaded) => <Members {...props} loaded={loaded} />}</Loaded>
}
