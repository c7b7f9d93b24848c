/** A publication for bundles, and bundles in memory. */
import { comment, content, file, section, tag } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { unrecorded } from '../recording.js'
import { principalWith } from '../access/principals.js'
import type { NewBundle, StoredBundle } from '../bundle/bundle-files.js'
import type { ExportedBundle } from '../bundle/export-instance.js'
import type { BundleOptions, ImportedInstance } from '../bundle/import-instance.js'
import type { CopyFailure } from '../storage-copy/copy-failure.js'
import { throwRejection } from '../storage-copy/copy-failure.js'
import {
  attachTag,
  changeDraft,
  changeObject,
  createObject,
  removeObject,
  replaceMedia,
  replaceStories,
  uploadFile,
} from '../operations.js'
import { firstHomepage } from '@publishing-service/domain/content'
import { createUser } from './people.js'
import { picture as pictureData } from './picture-imaging.js'
import { article, aSection, right, type Process, type Stage } from './stage.js'

export type MemoryBundle = Map<string, string | Uint8Array>

const joined = (chunks: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

export const bundleIn = (entries: MemoryBundle): NewBundle => ({
  add: async (name, data) => {
    let text = ''
    const chunks: Uint8Array[] = []
    for await (const piece of data) {
      if (typeof piece === 'string') text += piece
      else chunks.push(piece)
    }
    entries.set(name, chunks.length === 0 ? text : joined(chunks))
  },
})

export const readerOf = (entries: MemoryBundle): StoredBundle => {
  const entry = (name: string): string | Uint8Array =>
    entries.get(name) ?? throwRejection({ _tag: 'ExportDamaged', problem: `${name} is missing` })
  return {
    sizeOf: (name) => entries.get(name)?.length ?? null,
    async *text(name) {
      const found = entry(name)
      if (typeof found === 'string') yield found
    },
    async *data(name) {
      const found = entry(name)
      if (typeof found !== 'string') yield found
    },
  }
}

const progress = { onProgress: () => undefined }

export const exportedFrom = async (
  { bundles }: Process,
  instance: number,
  history = false,
): Promise<{ readonly entries: MemoryBundle; readonly result: ExportedBundle }> => {
  const entries: MemoryBundle = new Map()
  const result = await right(
    bundles.exportInstance({ instance, history, data: true }, bundleIn(entries), progress),
  )
  return { entries, result }
}

export const importedTo = (
  { bundles }: Process,
  entries: MemoryBundle,
  options: Partial<BundleOptions> = {},
): Promise<E.Either<CopyFailure, ImportedInstance>> =>
  bundles.importInstance(
    readerOf(entries),
    { title: null, newIds: false, ...options },
    unrecorded.write,
    progress,
  )()

async function* once(data: Uint8Array): AsyncGenerator<Uint8Array> {
  yield data
}

/** The data of the file. */
export const presentData = pictureData(40, 30)

export const slotId = 'd939cb21-058f-4b2d-b679-5f052676aaae'

/** A user with the role admin on an instance, and requests of them. */
const userOn = async (stage: Stage, instance: number, address: string) => {
  const id = await createUser(stage, { name: address, email: address })
  const rights = { operator: false, roles: [{ instance, roles: ['admin'] }] } as const
  const identity = E.right(principalWith({ id, user: address, key: 'key' }, rights))
  return { id, request: { ...stage.as('admin', instance), identity, requestId: 'r' } }
}

/** Fills an instance with objects of many kinds, and returns the UUIDs of some of them and of the users who made them. */
export const fillPublication = async (stage: Stage, instance = 1) => {
  const { run } = stage
  const ada = await userOn(stage, instance, 'ada@example.org')
  const bob = await userOn(stage, instance, 'bob@example.org')
  const create = (resource: Parameters<typeof createObject>[0], body: JsonObject, by = ada) =>
    right(run(createObject(resource), by.request, { body }))
  const top = await create(section, aSection('top'))
  const below = await create(section, aSection('below', top))
  const wine = await create(tag, { last_name_or_title: 'Wine', urlname: 'wine' })
  const picture = await create(file, { title: 'Picture', filename: 'one.gif' })
  const upload = (data: Uint8Array) =>
    right(
      run(uploadFile, ada.request, {
        id: picture,
        contentType: 'image/gif',
        length: undefined,
        body: once(data),
      }),
    )
  await upload(pictureData(8, 6))
  await upload(presentData)
  const story = await create(
    content,
    article('story', { section_uuid: below, content: `<p>Text</p><slot id="${slotId}"/>` }),
  )
  const items = [{ type: 'file', image_uuid: picture, title: 'A caption' }]
  await right(run(replaceMedia, ada.request, { contentId: story, slotId, body: { items } }))
  await right(run(attachTag, ada.request, { tagId: wine, predicate: 'describes', objectId: story, body: {} }))
  const other = await create(
    content,
    article('other', {
      content: `<p><a href="https://example.org/${story}">Story</a></p>`,
      review: 'requested',
    }),
    bob,
  )
  await right(run(changeObject(content), ada.request, { id: story, body: { title: 'Another title' } }))
  await right(run(changeDraft(content), bob.request, { id: story, body: { title: 'A draft' } }))
  const reply = { parent_type: 'content', parent_uuid: story, comment: 'Well said', state: 'published' }
  const said = await create(comment, reply)
  await create(comment, { ...reply, parent_type: 'comment', parent_uuid: said })
  const removed = await create(content, article('removed'))
  await right(run(removeObject(content), ada.request, { id: removed }))
  const stories = { auto: false, items: [{ type: 'content', link_uuid: story }] }
  await right(run(replaceStories('headline_stories'), ada.request, { id: firstHomepage.id, body: stories }))
  return { ada, bob, top, below, wine, picture, story, other, said, removed }
}
