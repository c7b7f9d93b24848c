import { ActionIcon, Badge, Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { IconGripVertical, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Json, JsonObject } from '@publishing-service/domain'
import { model } from 'virtual:model'
import { lostCharacters } from '../../content/lost-characters.js'
import { mediaIn, mediumToSend } from '../../content/slot-media.js'
import { publicationOf } from '../../publication/zone-time.js'
import { ItemDialog } from '../fields/item-dialog.js'
import { ReferenceInput } from '../fields/reference-input.js'
import { ErrorMessage, Loaded } from '../layout/messages.js'
import { Thumbnail } from '../library/thumbnail.js'
import { useInstanceTime } from '../publication/publication-panel.js'
import { FieldInputs } from '../resource/resource-form.js'
import { ConflictAlert } from '../resource/conflict-alert.js'
import { DiscardButton } from '../resource/discard-button.js'
import { SaveErrors } from '../resource/save-bar.js'
import type { Api, Versioned } from '../service/api.js'
import { useInstance, usePermission } from '../service/instance-context.js'
import { isJsonObject } from '../service/json.js'
import { useUnsaved } from '../service/unsaved.js'
import { useDraft } from '../service/use-draft.js'
import { useSave } from '../service/use-save.js'
import { useTexts } from '../texts/texts.js'
import { SortableItems } from '../sorting/sortable-items.js'
import sortingClasses from '../sorting/sorting.module.css'
import classes from './structure.module.css'

type StoryProps = { readonly story: JsonObject; readonly target: JsonObject | null }

const textIn = (value: Json | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null

const titleOf = ({ story, target }: StoryProps): string =>
  textIn(story['title']) ??
  textIn(target?.['title']) ??
  textIn(story['link_url']) ??
  String(story['link_uuid'])

/** The picture and the title of a story, as the homepage shows them, and whether the public sees it. */
const Story = ({ story, target }: StoryProps) => {
  const { publication } = useTexts()
  const { iid } = useInstance()
  const now = useInstanceTime()
  const image = textIn(story['image_url']) ?? textIn(target?.['teaser_image_url'])
  const title = titleOf({ story, target })
  const state = target === null ? 'live' : publicationOf(target['state'], target['issued'], now)
  return (
    <Group gap="sm" wrap="nowrap" className={classes['story']}>
      <div className={classes['picture']}>
        <Thumbnail download={image} alt="" width={120} />
      </div>
      <div>
        {typeof story['link_uuid'] === 'string' ? (
          <Link href={`/${iid}/content/${story['link_uuid']}`} className="row-link">
            {title}
          </Link>
        ) : (
          <Text fw={600}>{title}</Text>
        )}
        {state !== 'live' && (
          <div>
            <Badge size="sm" variant="light" color={state === 'draft' ? 'gray' : 'blue'}>
              {publication.badges[state]}
            </Badge>
          </div>
        )}
      </div>
    </Group>
  )
}

/** The list with its targets. The entity tag is that without them, to which a condition on writes refers. */
const readStories = async (api: Api, path: string): Promise<Versioned> => {
  const [{ value }, { tag }] = await Promise.all([api.read(path, { include: 'link' }), api.read(path)])
  return { value, tag }
}

type ListProps = { readonly path: string; readonly title: string }

const Stories = ({ path, title, loaded }: ListProps & { readonly loaded: Versioned }) => {
  const texts = useTexts()
  const { structure, form } = texts
  const { api } = useInstance()
  const isAllowed = usePermission('homepage', 'update')
  const [version, setVersion] = useState(loaded)
  const draft = useDraft(version.value)
  const [edited, setEdited] = useState<{ readonly index: number; readonly item: JsonObject } | null>(null)
  const [added, setAdded] = useState<Readonly<Record<string, JsonObject>>>({})
  const [addError, setAddError] = useState<unknown>(null)
  const saving = useSave(
    (body, tag) => api.replace(path, body, tag),
    () => readStories(api, path),
  )
  useUnsaved(draft.isChanged)
  const items = mediaIn(draft.value)
  const { included, auto } = draft.value
  const targets = { ...(isJsonObject(included) ? included : {}), ...added }
  const targetOf = ({ link_uuid: id }: JsonObject): JsonObject | null => {
    const target = targets[String(id)]
    return isJsonObject(target) ? target : null
  }
  const setItems = (next: readonly JsonObject[]) => draft.set('items', next)
  const body = (): JsonObject => ({
    ...mediumToSend(model.storyList, draft.value),
    items: items.map((item) => mediumToSend(model.story.fields, item)),
  })
  const save = async (tag: string | null) => {
    if ((await saving.save(body(), tag)) === null) return
    setVersion(await readStories(api, path))
    draft.reset()
  }
  const add = async (uuid: Json) => {
    if (typeof uuid !== 'string') return
    setAddError(null)
    setItems([...items, { type: 'content', link_uuid: uuid }])
    try {
      const { value } = await api.read(`content/${uuid}`)
      setAdded((current) => ({ ...current, [uuid]: value }))
    } catch (error) {
      setAddError(error)
    }
  }
  return (
    <Card withBorder component="section" aria-label={title}>
      <Stack>
        <Title order={2} size="h4">
          {title}
        </Title>
        <FieldInputs
          fields={model.storyList.filter(({ name }) => name === 'auto' || auto === true)}
          draft={draft}
          faults={saving.faults}
          isNew={false}
          disabled={!isAllowed}
        />
        {auto === true ? (
          <ul className={sortingClasses['list']}>
            {mediaIn(draft.stored).map((story) => (
              <li key={String(story['link_uuid'])}>
                <Story story={story} target={targetOf(story)} />
              </li>
            ))}
          </ul>
        ) : (
          <>
            {items.length === 0 && <Text c="dimmed">{structure.noStories}</Text>}
            <SortableItems
              items={items}
              onMove={setItems}
              labelOf={(story) => titleOf({ story, target: targetOf(story) })}
              className={sortingClasses['list']}
            >
              {(story, index, { handle, buttons }) => (
                <Group gap="xs" wrap="nowrap" justify="space-between">
                  <Group gap="xs" wrap="nowrap">
                    {isAllowed && (
                      <div className={sortingClasses['handle']} {...handle}>
                        <IconGripVertical size={18} aria-hidden />
                      </div>
                    )}
                    <Story story={story} target={targetOf(story)} />
                  </Group>
                  {isAllowed && (
                    <Group gap={0} wrap="nowrap">
                      {buttons}
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        size="sm"
                        aria-label={`${form.edit}: ${titleOf({ story, target: targetOf(story) })}`}
                        onClick={() => setEdited({ index, item: story })}
                      >
                        <IconPencil size={16} aria-hidden />
                      </ActionIcon>
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        size="sm"
                        aria-label={`${form.remove}: ${titleOf({ story, target: targetOf(story) })}`}
                        onClick={() => setItems(items.toSpliced(index, 1))}
                      >
                        <IconTrash size={16} aria-hidden />
                      </ActionIcon>
                    </Group>
                  )}
                </Group>
              )}
            </SortableItems>
            {isAllowed && (
              <Group align="flex-end">
                <ReferenceInput
                  type={{ kind: 'reference', collection: 'content' }}
                  label={structure.addStory}
                  value={null}
                  taken={items.map(({ link_uuid }) => String(link_uuid))}
                  onChange={(uuid) => void add(uuid)}
                />
                <Button
                  variant="subtle"
                  leftSection={<IconPlus size={14} aria-hidden />}
                  onClick={() => setEdited({ index: items.length, item: { type: 'link' } })}
                >
                  {structure.addLink}
                </Button>
              </Group>
            )}
          </>
        )}
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
        {isAllowed && (
          <Group>
            <Button
              onClick={() => void save(version.tag)}
              disabled={!draft.isChanged}
              loading={saving.isSaving}
              aria-label={`${form.save}: ${title}`}
            >
              {form.save}
            </Button>
            <DiscardButton lost={lostCharacters(draft)} disabled={!draft.isChanged} onDiscard={draft.reset} />
          </Group>
        )}
      </Stack>
      {edited !== null && (
        <ItemDialog
          title={structure.story}
          model={model.story}
          item={edited.item}
          onClose={() => setEdited(null)}
          onApply={(item) => {
            setItems(items.toSpliced(edited.index, 1, item))
            setEdited(null)
          }}
        />
      )}
    </Card>
  )
}

/** A list of stories that are chosen by hand, or automatically. */
export const StoriesEditor = (props: ListProps) => {
  const { api, iid } = useInstance()
  const query = useQuery({
    queryKey: [iid, props.path],
    queryFn: () => readStories(api, props.path),
    staleTime: Infinity,
    gcTime: 0,
  })
  return <Loaded query={query}>{(loaded) => <Stories {...props} loaded={loaded} />}</Loaded>
}
