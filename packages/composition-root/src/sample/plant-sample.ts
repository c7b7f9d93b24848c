/** Plants the sample publication: photographs, sections, stories, as a client would send them, each under its own UUID. */
import { createReadStream } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { content, E, file, section, type JsonObject, type Resource } from '@publishing-service/domain'
import type { Caller, UseCases } from '@publishing-service/application'
import { settled } from '../settled.js'
import { leadStories } from './lead-stories.js'
import { photographs, type Photograph } from './photographs.js'
import { sections, type PlantedSection } from './sections.js'
import { stories } from './stories.js'
import type { Story } from './story.js'

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
}
