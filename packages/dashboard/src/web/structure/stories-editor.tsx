import { Badge, Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { JsonObject } from '@publishing-service/domain'
import { model } from 'virtual:model'
import { mediaIn, mediumToSend } from '../../content/slot-media.js'
import { publicationOf } from '../../publication/zone-time.js'
import { ItemDialog } from '../fields/item-dialog.js'
import { ReferenceInput } from '../fields/reference-input.js'
import { Thumbnail } from '../library/thumbnail.js'
import { useInstanceTime } from '../publication/publication-panel.js'
import { FieldInputs } from '../resource/resource-form.js'
import type { Api, Versioned } from '../service/api.js'
import { useInstance, usePermission } from '../service/instance-context.js'
import { isJsonObject, textOf } from '../service/json.js'
import { useTexts } from '../texts/texts.js'
import { OrderedList } from '../sorting/ordered-list.js'
import sortingClasses from '../sorting/sorting.module.css'
import { SavedList, type EditedList } from './saved-list.js'
import classes from './structure.module.css'

type StoryProps = { readonly story: JsonObject; readonly target: JsonObject | null }

const titleOf = ({ story, target }: StoryProps): string =>
  textOf(story['title']) ??
  textOf(target?.['title']) ??
  textOf(story['link_url']) ??
  String(story['link_uuid'])

/** The picture and the title of a story, as the homepage shows them, and whether the public sees it. */
const Story = ({ story, target }: StoryProps) => {
  const { publication } = useTexts()
  const { iid } = useInstance()
  const now = useInstanceTime()
  const image = textOf(story['image_url']) ?? textOf(target?.['teaser_image_url'])
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

const Stories = ({ list, isAllowed }: { readonly list: EditedList; readonly isAllowed: boolean }) => {
  const { structure } = useTexts()
  const { draft, items, setItems, add, added, faults } = list
  const [edited, setEdited] = useState<{ readonly index: number; readonly item: JsonObject } | null>(null)
  const { included, auto } = draft.value
  const targets = { ...(isJsonObject(included) ? included : {}), ...added }
  const targetOf = ({ link_uuid: id }: JsonObject): JsonObject | null => {
    const target = targets[String(id)]
    return isJsonObject(target) ? target : null
  }
  const storyOf = (story: JsonObject) => <Story story={story} target={targetOf(story)} />
  return (
    <>
      <FieldInputs
        fields={model.storyList.filter(({ name }) => name === 'auto' || auto === true)}
        draft={draft}
        faults={faults}
        isNew={false}
        disabled={!isAllowed}
      />
      {auto === true ? (
        <ul className={sortingClasses['list']}>
          {mediaIn(draft.stored).map((story) => (
            <li key={String(story['link_uuid'])}>{storyOf(story)}</li>
          ))}
        </ul>
      ) : (
        <>
          <OrderedList
            items={items}
            onChange={setItems}
            onEdit={(index) => setEdited({ index, item: items[index] ?? {} })}
            labelOf={(story) => titleOf({ story, target: targetOf(story) })}
            none={structure.noStories}
            isAllowed={isAllowed}
          >
            {storyOf}
          </OrderedList>
          {isAllowed && (
            <Group align="flex-end">
              <ReferenceInput
                type={{ kind: 'reference', collection: 'content' }}
                label={structure.addStory}
                value={null}
                taken={items.map(({ link_uuid }) => String(link_uuid))}
                onChange={(uuid) => {
                  if (typeof uuid === 'string')
                    add([{ type: 'content', link_uuid: uuid }], [`content/${uuid}`])
                }}
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
    </>
  )
}

/** A list of stories that are chosen by hand, or automatically. */
export const StoriesEditor = ({ path, title }: { readonly path: string; readonly title: string }) => {
  const { form } = useTexts()
  const { api } = useInstance()
  const isAllowed = usePermission('homepage', 'update')
  return (
    <Card withBorder component="section" aria-label={title}>
      <Stack>
        <Title order={2} size="h4">
          {title}
        </Title>
        <SavedList
          path={path}
          read={() => readStories(api, path)}
          toSend={(list, items) => ({
            ...mediumToSend(model.storyList, list),
            items: items.map((item) => mediumToSend(model.story.fields, item)),
          })}
          isAllowed={isAllowed}
          saveText={form.save}
          saveLabel={`${form.save}: ${title}`}
        >
          {(list) => <Stories list={list} isAllowed={isAllowed} />}
        </SavedList>
      </Stack>
    </Card>
  )
}
