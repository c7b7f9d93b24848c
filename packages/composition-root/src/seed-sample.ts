/** Writes the sample publication with the operations that clients use, each object under a fixed UUID. */
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import {
  categoryTags,
  E,
  file,
  listingImages,
  resourceOf,
  storyLists,
  type JsonObject,
  type Resource,
} from '@publishing-service/domain'
import {
  attachTag,
  readObject,
  replaceMedia,
  replaceMembers,
  replaceObject,
  replaceRelatedLinks,
  replaceSlot,
  replaceStories,
  uploadFile,
  type SampleData,
} from '@publishing-service/application'
import type { Checksum } from '@publishing-service/ports'
import type { Sample, SampleObject } from '@publishing-service/sample'
import type { RunOperation } from './as-service.js'
import { stepOrThrow } from './error-messages.js'

/** The data that seeding the sample uploads to an instance. */
export const sampleData = (
  { collections }: Sample,
  instance: number,
  checksum: () => Checksum,
): Promise<readonly SampleData[]> =>
  Promise.all(
    collections
      .flatMap(({ objects }) => objects)
      .flatMap(({ id, upload }) => (upload === null ? [] : [{ id, path: upload.path }]))
      .map(async ({ id, path }) => {
        const data = await readFile(path)
        const sum = checksum()
        sum.add(data)
        return { instance, fileId: id, bytes: data.length, sha256: sum.value() }
      }),
  )

/** The value, or an Error where the sample names something that the service does not have. */
const known = <A>(found: A | undefined, what: string): A => {
  if (found === undefined) throw new Error(`The sample publication is wrong: ${what} does not exist`)
  return found
}

/** Creates the sample publication in an instance; repeating it changes nothing. Throws an Error. */
export const seedSample = async (run: RunOperation, sample: Sample): Promise<void> => {
  const put = (resource: Resource, id: string, body: JsonObject): Promise<string> =>
    stepOrThrow(`creating ${resource.name} ${id}`, run(replaceObject(resource), { id, body }))

  const isThere = async (resource: Resource, id: string): Promise<boolean> =>
    E.isRight(await run(readObject(resource), { id, parameters: {} })())

  const fillSlots = async ({ id: contentId, slots }: SampleObject): Promise<void> => {
    for (const { id: slotId, attributes, media } of slots) {
      const address = { contentId, slotId }
      await stepOrThrow(`configuring slot ${slotId}`, run(replaceSlot, { ...address, body: attributes }))
      await stepOrThrow(`filling slot ${slotId}`, run(replaceMedia, { ...address, body: { items: media } }))
    }
  }

  const fillList = async (resource: Resource, { id, members }: SampleObject): Promise<void> => {
    if (members.length === 0) return
    const list = known(
      [categoryTags, listingImages].find((each) => each.resource.collection === resource.collection),
      `a list of members in ${resource.collection}`,
    )
    const items = members.map((member) => ({ [list.item]: member }))
    await stepOrThrow(`filling ${resource.name} ${id}`, run(replaceMembers(list), { id, body: { items } }))
  }

  const attach = async ({ id: tagId, taggings }: SampleObject): Promise<void> => {
    for (const { predicate, objects, attributes } of taggings)
      for (const objectId of objects)
        await stepOrThrow(
          `attaching tag ${tagId}`,
          run(attachTag, { tagId, predicate, objectId, body: attributes }),
        )
  }

  const fillStories = async ({ id, stories }: SampleObject): Promise<void> => {
    for (const [name, body] of Object.entries(stories)) {
      const list = known(
        storyLists.find((each) => each === name),
        `the list of stories ${name}`,
      )
      await stepOrThrow(`filling the ${list} of homepage ${id}`, run(replaceStories(list), { id, body }))
    }
  }

  const seedObject = async (resource: Resource, object: SampleObject): Promise<void> => {
    const isUnfinished = Object.keys(object.later).length > 0
    // A PUT without the later attributes would reset those that an earlier start has written.
    if (!isUnfinished || !(await isThere(resource, object.id)))
      await put(resource, object.id, object.attributes)
    await fillSlots(object)
    await fillList(resource, object)
    await attach(object)
    await fillStories(object)
  }

  const uploadData = async ({ id, upload }: SampleObject): Promise<void> => {
    if (upload === null) return
    const { byte_size: size } = await stepOrThrow(
      `reading file ${id}`,
      run(readObject(file), { id, parameters: {} }),
    )
    if (size !== undefined) return
    const body = createReadStream(upload.path)
    await stepOrThrow(
      `uploading ${upload.file}`,
      run(uploadFile, { id, contentType: upload.type, length: undefined, body }),
    )
  }

  const complete = async (
    resource: Resource,
    { id, attributes, later, related_links: items }: SampleObject,
  ): Promise<void> => {
    if (Object.keys(later).length > 0) await put(resource, id, { ...attributes, ...later })
    if (items.length > 0)
      await stepOrThrow(`linking story ${id}`, run(replaceRelatedLinks, { id, body: { items } }))
  }

  const collections = sample.collections.map(({ name, objects }) => ({
    resource: known(resourceOf(name), `the collection ${name}`),
    objects,
  }))
  for (const { resource, objects } of collections) {
    for (const object of objects) await seedObject(resource, object)
    await Promise.all(objects.map(uploadData))
  }
  for (const { resource, objects } of collections)
    for (const object of objects) await complete(resource, object)
}
