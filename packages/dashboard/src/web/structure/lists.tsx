/** The lists that the homepage, categories of tags and listings have. */
import { Card, Fieldset, Stack, Title } from '@mantine/core'
import type { JsonObject } from '@publishing-service/domain/json'
import { model } from 'virtual:model'
import { mediumToSend } from '../../content/slot-media.js'
import type { SidePanelProps } from '../resource/resource-editor.js'
import { useInstance, usePermission } from '../service/place.js'
import { labelOf, useTexts } from '../texts/texts.js'
import { ListEditor } from './list-editor.js'

/** A list of stories that are chosen by hand, or automatically. */
export const StoriesEditor = ({ path, title }: { readonly path: string; readonly title: string }) => {
  const { form, structure } = useTexts()
  const { api } = useInstance()
  return (
    <Card withBorder component="section" aria-label={title}>
      <Stack>
        <Title order={2} size="h4">
          {title}
        </Title>
        <ListEditor
          path={path}
          read={async () => {
            const [{ value }, { tag }] = await Promise.all([
              api.read(path, { include: 'link' }),
              // A condition on writes refers to the list without its targets.
              api.read(path),
            ])
            return { value, tag }
          }}
          toSend={(list, items) => ({
            ...mediumToSend(model.storyList, list),
            items: items.map((item) => mediumToSend(model.story.fields, item)),
          })}
          collection="content"
          id="link_uuid"
          added={{ type: 'content' }}
          settings={model.storyList}
          editing={{ title: structure.story, model: model.story, addLink: structure.addLink }}
          isAllowed={usePermission('homepage', 'update')}
          addText={structure.addStory}
          saveText={form.save}
          saveLabel={`${form.save}: ${title}`}
        />
      </Stack>
    </Card>
  )
}

/** The tags of a category, in their order. */
export const MembersEditor = ({ value: { uuid = null } }: { readonly value: JsonObject }) => {
  const texts = useTexts()
  const { structure } = texts
  const { api } = useInstance()
  const path = `tags/categories/${String(uuid)}/tags`
  return (
    <Fieldset legend={labelOf(texts, 'members')}>
      <Stack gap="sm">
        <ListEditor
          path={path}
          read={async () => {
            const { tag } = await api.read(path)
            const tags = await api.listAll(path, { fields: ['uuid', 'title'] })
            const included = Object.fromEntries(tags.map((each) => [String(each['uuid']), each]))
            return { value: { items: tags, included }, tag }
          }}
          toSend={(_list, tags) => ({ items: tags.map((tag) => ({ tag_uuid: tag['uuid'] ?? null })) })}
          collection="tags"
          id="uuid"
          isAllowed={usePermission('tag_categories', 'update')}
          addText={structure.attach}
          saveText={structure.saveMembers}
        />
      </Stack>
    </Fieldset>
  )
}

/** The images of a listing, in their order. */
export const ListingImages = ({ partsOf, value, isAllowed }: SidePanelProps) => {
  const texts = useTexts()
  const { structure, content } = texts
  const { api } = useInstance()
  const path = `locations/${partsOf}/listing_images`
  if (value['is_listing'] !== true) return null
  return (
    <Fieldset legend={labelOf(texts, 'listing_images')}>
      <Stack gap="sm">
        <ListEditor
          path={path}
          read={() => api.read(path)}
          toSend={(_list, files) => ({ items: files.map((file) => ({ uuid: file['uuid'] ?? null })) })}
          collection="files"
          id="uuid"
          isAllowed={isAllowed}
          addText={content.addFiles}
          saveText={structure.saveImages}
        />
      </Stack>
    </Fieldset>
  )
}
