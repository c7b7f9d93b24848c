/** Plants the sample publication: photographs, sections, stories, places, tags, as a client would send them, each under its own UUID. */
import { createReadStream } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  categoryTags,
  content,
  E,
  file,
  listingImages,
  section,
  storyLists,
  tag,
  type JsonObject,
  type MemberList,
  type Resource,
} from '@publishing-service/domain'
import type { Caller, UseCases } from '@publishing-service/application'
import { settled } from '../settled.js'
import { homepageId, stories as homepageStories } from './homepage-stories.js'
import { leadStories } from './lead-stories.js'
import { locations, type PlantedLocation } from './locations.js'
import { photographs, type Photograph } from './photographs.js'
import { sections, type PlantedSection } from './sections.js'
import { stories } from './stories.js'
import type { Story } from './story.js'
import { locationTypes, tags, type PlantedTag } from './tags.js'

const folder = new URL('../../sample/photographs/', import.meta.url)

/** Plants the sample publication in the caller's instance; planting it again changes nothing. Throws an Error. */
export const plantSample = async (useCases: UseCases, caller: Caller): Promise<void> => {
  const put = (resource: Resource, id: string, input: JsonObject): Promise<string> =>
    settled(
      `planting ${resource.name} ${id}`,
      useCases.writeObject(resource, caller, { mode: 'put', id, input }),
    )

  const plantPhotograph = async ({ id, filename, mimetype, attributes }: Photograph): Promise<void> => {
    await put(file, id, { ...attributes, filename })
    const { byte_size: size } = await settled(`reading file ${id}`, useCases.readObject(file, caller, id))
    if (size !== null) return
    const body = createReadStream(fileURLToPath(new URL(filename, folder)))
    const upload = { contentType: mimetype, length: undefined, body }
    await settled(`uploading ${filename}`, useCases.uploadFile(caller, id, upload))
  }

  const plantStory = async ({ id, attributes, slots }: Story): Promise<void> => {
    await put(content, id, attributes)
    for (const { id: slotId, settings, media } of slots) {
      const address = { contentId: id, slotId }
      await settled(`configuring slot ${slotId}`, useCases.putSlot(caller, address, settings))
      await settled(`filling slot ${slotId}`, useCases.replaceMedia(caller, address, { items: media }))
    }
  }

  const plantList = async (
    list: MemberList,
    id: string,
    attributes: JsonObject,
    members: readonly string[],
  ): Promise<void> => {
    await put(list.resource, id, attributes)
    const items = members.map((member) => ({ [list.item]: member }))
    if (items.length > 0)
      await settled(
        `filling ${list.resource.name} ${id}`,
        useCases.replaceMembers(list, caller, id, { items }),
      )
  }

  const plantLocation = ({ id, attributes, images }: PlantedLocation): Promise<void> =>
    plantList(listingImages, id, attributes, images)

  const plantTag = async ({ id, attributes, attached }: PlantedTag): Promise<void> => {
    await put(tag, id, attributes)
    for (const { predicate, objects } of attached)
      for (const objectId of objects)
        await settled(
          `attaching tag ${id}`,
          useCases.putTagging(caller, { tagId: id, predicate, objectId }, { created: '2025-09-01T08:00:00' }),
        )
  }

  const isThere = async (resource: Resource, id: string): Promise<boolean> =>
    E.isRight(await useCases.readObject(resource, caller, id)())

  // A section can name its lead story only once that is there, so it comes without one before the stories.
  const layOutSection = async ({ id, attributes }: PlantedSection): Promise<void> => {
    if (!(await isThere(section, id))) await put(section, id, attributes)
  }

  await Promise.all(Object.values(photographs).map(plantPhotograph))
  for (const each of Object.values(sections)) await layOutSection(each)
  for (const story of stories) await plantStory(story)
  for (const { id, attributes } of Object.values(sections))
    await put(section, id, { ...attributes, content_uuid: leadStories.get(id) ?? null })
  for (const each of Object.values(locations)) await plantLocation(each)
  for (const each of tags) await plantTag(each)
  await plantList(categoryTags, locationTypes.id, locationTypes.attributes, locationTypes.members)
  for (const list of storyLists)
    await settled(
      `filling the ${list} of the homepage`,
      useCases.putStories(caller, { homepageId, list }, homepageStories[list]),
    )
}
