/** Reads the sample publication from its folder: `publication.json` lists the collections and stories. */
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { E, t } from '@publishing-service/domain/fp'
import { readImportedObject, type ImportedObject } from '@publishing-service/domain/imports'
import { isJsonObject, type JsonObject } from '@publishing-service/domain/json'

const Outline = t.readonly(
  t.type({
    /** The settings of the instance of the sample. */
    settings: t.readonly(
      t.type({
        title: t.string,
        timezone: t.string,
        directory_addon: t.boolean,
        website_url: t.string,
      }),
    ),
    /** UUID of the content object that the service shows to newcomers. */
    introduction: t.string,
    collections: t.readonlyArray(t.string),
    stories: t.readonlyArray(t.string),
  }),
)
type Outline = t.TypeOf<typeof Outline>

/** What a start needs of the sample publication where it is there already. */
export type SampleOutline = Pick<Outline, 'settings' | 'introduction'>

/** The sample publication. */
export type Sample = SampleOutline & {
  /** In the order in which they are created. The addresses of data are paths in `folder`. */
  readonly objects: readonly ImportedObject[]
  readonly folder: string
}

const publication = fileURLToPath(new URL('../publication', import.meta.url))

/** The collection of the stories, whose bodies are XML files. */
const storyCollection = 'content'

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

const readJson = async (folder: string, file: string): Promise<unknown> => {
  const source = await readText(folder, file)
  try {
    return JSON.parse(source)
  } catch (error) {
    throw new Error(`${file} is not JSON: ${reason(error)}`, { cause: error })
  }
}

const readOutline = async (folder: string): Promise<Outline> => {
  const outline = Outline.decode(await readJson(folder, 'publication.json'))
  if (E.isRight(outline)) return outline.right
  const places = outline.left.map(({ context }) => context.map(({ key }) => key).join('.'))
  throw new Error(`publication.json${places[0] ?? ''} is missing, or of another type`)
}

const objectOf = (value: JsonObject, place: string): ImportedObject => {
  const read = readImportedObject(value)
  if (E.isRight(read)) return read.right
  throw new Error(read.left.map(({ path, message }) => `${place}: ${path} ${message}`).join('; '))
}

/** The content of the root element `body`, without its first and last line break. */
const readBody = async (folder: string, file: string): Promise<string> => {
  const body = /^<body>\n([^]+)\n<\/body>\n$/.exec(await readText(folder, file))?.[1]
  if (body === undefined)
    throw new Error(`${file} must have the line <body> first, the line </body> last, and a text between them`)
  return body
}

const readStory = async (folder: string, name: string): Promise<ImportedObject> => {
  const [story, body] = await Promise.all([
    readJson(folder, `stories/${name}.json`),
    readBody(folder, `stories/${name}.xml`),
  ])
  const values = isJsonObject(story) ? story : {}
  const { attributes, ...object } = objectOf(
    { collection: storyCollection, ...values },
    `stories/${name}.json`,
  )
  return { ...object, attributes: { ...attributes, content: body } }
}

const readCollection = async (folder: string, collection: string): Promise<readonly ImportedObject[]> => {
  const file = `${collection}.json`
  const values = await readJson(folder, file)
  if (!Array.isArray(values) || !values.every(isJsonObject))
    throw new Error(`${file} must be a list of objects`)
  return values.map((value, index) => objectOf({ collection, ...value }, `${file}[${index}]`))
}

const refuseMissingData = async (
  folder: string,
  { collection, id, upload }: ImportedObject,
): Promise<void> => {
  if (upload !== null)
    await access(join(folder, upload.address)).catch((error: unknown) => {
      throw unreadable(`the data ${upload.address} of ${collection} ${id}`, error)
    })
}

const readFolder = async (folder: string): Promise<Sample> => {
  const { settings, introduction, collections, stories } = await readOutline(folder)
  const read = await Promise.all(
    collections.map((name) =>
      name === storyCollection
        ? Promise.all(stories.map((story) => readStory(folder, story)))
        : readCollection(folder, name),
    ),
  )
  const objects = read.flat()
  await Promise.all(objects.map((object) => refuseMissingData(folder, object)))
  return { settings, introduction, objects, folder }
}

const explained = async <A>(reading: Promise<A>): Promise<A> => {
  try {
    return await reading
  } catch (error) {
    throw new Error(`The sample publication is wrong: ${reason(error)}`, { cause: error })
  }
}

/** The sample publication. Rejects with an Error that names the file, and the place in it, that is malformed. */
export const readSample = (folder: string = publication): Promise<Sample> => explained(readFolder(folder))

/** The outline alone, without the objects and their files. */
export const readSampleOutline = (): Promise<SampleOutline> => explained(readOutline(publication))
