/** Reads the sample publication from its folder: `publication.json` lists the collections and stories. */
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  boolean,
  fieldsOf,
  listOf,
  object,
  optional,
  recordOf,
  text,
  uuid,
  type Check,
  type Json,
} from './checks.js'
import type { Collection, Sample, SampleObject, Settings, Slot, Tagging, Upload } from './sample.js'

const publication = fileURLToPath(new URL('../publication', import.meta.url))

/** The collection of the stories, whose bodies are XML files. */
const storyCollection = 'content'

type Outline = Pick<Sample, 'settings' | 'introduction'> & {
  readonly collections: readonly string[]
  readonly stories: readonly string[]
}

const settings: Check<Settings> = fieldsOf((field) => ({
  title: field('title', text),
  timezone: field('timezone', text),
  directory_addon: field('directory_addon', boolean),
  website_url: field('website_url', text),
}))

const outline: Check<Outline> = fieldsOf((field) => ({
  settings: field('settings', settings),
  introduction: field('introduction', uuid),
  collections: field('collections', listOf(text)),
  stories: field('stories', listOf(text)),
}))

const uploadFrom = (folder: string): Check<Upload> =>
  fieldsOf((field) => {
    const file = field('file', text)
    return { file, path: join(folder, file), type: field('type', text) }
  })

const slot: Check<Slot> = fieldsOf((field) => ({
  id: field('id', uuid),
  attributes: field('attributes', object),
  media: field('media', listOf(object)),
}))

const tagging: Check<Tagging> = fieldsOf((field) => ({
  predicate: field('predicate', text),
  objects: field('objects', listOf(uuid)),
  attributes: field('attributes', object),
}))

const objectFrom = (folder: string): Check<SampleObject> =>
  fieldsOf((field) => ({
    id: field('id', uuid),
    attributes: field('attributes', object),
    later: field('later', optional(object, {})),
    upload: field('upload', optional(uploadFrom(folder), null)),
    slots: field('slots', optional(listOf(slot), [])),
    members: field('members', optional(listOf(uuid), [])),
    taggings: field('taggings', optional(listOf(tagging), [])),
    stories: field('stories', optional(recordOf(object), {})),
    related_links: field('related_links', optional(listOf(object), [])),
  }))

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const unreadable = (place: string, error: unknown): Error =>
  new Error(`${place} cannot be read: ${reason(error)}`, { cause: error })

const readText = async (folder: string, file: string): Promise<string> => {
  try {
    return await readFile(join(folder, file), 'utf8')
  } catch (error) {
    throw unreadable(file, error)
  }
}

const readJson = async <A>(folder: string, file: string, check: Check<A>): Promise<A> => {
  const source = await readText(folder, file)
  let value: Json
  try {
    value = JSON.parse(source)
  } catch (error) {
    throw new Error(`${file} is not JSON: ${reason(error)}`, { cause: error })
  }
  return check(value, file)
}

/** The content of the root element `body`, without its first and last line break. */
const readBody = async (folder: string, file: string): Promise<string> => {
  const body = /^<body>\n([^]+)\n<\/body>\n$/.exec(await readText(folder, file))?.[1]
  if (body === undefined)
    throw new Error(`${file} must have the line <body> first, the line </body> last, and a text between them`)
  return body
}

const readStory = async (folder: string, name: string): Promise<SampleObject> => {
  const [story, content] = await Promise.all([
    readJson(folder, `stories/${name}.json`, objectFrom(folder)),
    readBody(folder, `stories/${name}.xml`),
  ])
  return { ...story, attributes: { ...story.attributes, content } }
}

const refuseMissingData = async ({ name, objects }: Collection): Promise<void> => {
  for (const [index, { upload }] of objects.entries())
    if (upload !== null)
      await access(upload.path).catch((error: unknown) => {
        throw unreadable(`${name}.json[${index}].upload.file`, error)
      })
}

const readFolder = async (folder: string): Promise<Sample> => {
  const { collections, stories, ...rest } = await readJson(folder, 'publication.json', outline)
  const readCollection = async (name: string): Promise<Collection> => {
    const objects = await (name === storyCollection
      ? Promise.all(stories.map((story) => readStory(folder, story)))
      : readJson(folder, `${name}.json`, listOf(objectFrom(folder))))
    const collection = { name, objects }
    await refuseMissingData(collection)
    return collection
  }
  return { ...rest, collections: await Promise.all(collections.map(readCollection)) }
}

/** The sample publication. Rejects with an Error that names the file, and the place in it, that is malformed. */
export const readSample = async (folder: string = publication): Promise<Sample> => {
  try {
    return await readFolder(folder)
  } catch (error) {
    throw new Error(`The sample publication is wrong: ${reason(error)}`, { cause: error })
  }
}
