/** Writes the sample publication with the operations that clients use, each object under a fixed UUID. */
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { file, resourceOf, type Resource } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { storyLists } from '@publishing-service/domain/content'
import { listingImages } from '@publishing-service/domain/locations'
import { categoryTags } from '@publishing-service/domain/tags'
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
  type Operation,
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
  const step = <Input, Output>(
    what: string,
    operation: Operation<Input, Output>,
    input: Input,
  ): Promise<Output> => stepOrThrow(what, run(operation, input))

  const put = (resource: Resource, id: string, body: JsonObject): Promise<string> =>
    step(`creating ${resource.name} ${id}`, replaceObject(resource), { id, body })

  const isThere = async (resource: Resource, id: string): Promise<boolean> =>
    E.isRight(await run(readObject(resource), { id, parameters: {} })())

  const seedObject = async (resource: Resource, object: SampleObject): Promise<void> => {
    const { id, slots, members, taggings, stories } = object
    const isUnfinished = Object.keys(object.later).length > 0
    // A PUT without the later attributes would reset those that an earlier start has written.
    if (!isUnfinished || !(await isThere(resource, id))) await put(resource, id, object.attributes)
    for (const { id: slotId, attributes, media } of slots) {
      const address = { contentId: id, slotId }
      await step(`configuring slot ${slotId}`, replaceSlot, { ...address, body: attributes })
      await step(`filling slot ${slotId}`, replaceMedia, { ...address, body: { items: media } })
    }
    if (members.length > 0) {
      const list = known(
        [categoryTags, listingImages].find((each) => each.resource.collection === resource.collection),
        `a list of members in ${resource.collection}`,
      )
      const items = members.map((member) => ({ [list.item]: member }))
      await step(`filling ${resource.name} ${id}`, replaceMembers(list), { id, body: { items } })
    }
    for (const { predicate, objects, attributes: body } of taggings)
      for (const objectId of objects)
        await step(`attaching tag ${id}`, attachTag, { tagId: id, predicate, objectId, body })
    for (const [name, body] of Object.entries(stories)) {
      const list = known(
        storyLists.find((each) => each === name),
        `the list of stories ${name}`,
      )
      await step(`filling the ${list} of homepage ${id}`, replaceStories(list), { id, body })
    }
  }

  const uploadData = async ({ id, upload }: SampleObject): Promise<void> => {
    if (upload === null) return
    const { byte_size: size } = await step(`reading file ${id}`, readObject(file), { id, parameters: {} })
    if (size !== undefined) return
    const body = createReadStream(upload.path)
    await step(`uploading ${upload.file}`, uploadFile, {
      id,
      contentType: upload.type,
      length: undefined,
      body,
    })
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
    for (const { id, attributes, later, related_links: items } of objects) {
      if (Object.keys(later).length > 0) await put(resource, id, { ...attributes, ...later })
      if (items.length > 0) await step(`linking story ${id}`, replaceRelatedLinks, { id, body: { items } })
    }
}
