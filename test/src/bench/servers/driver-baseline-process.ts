/**
 * A baseline server on the driver of MongoDB: `node:http` that makes the same queries as the service for a request, with
 * the default pool of the driver, and sends the texts that it receives. No rules, roles, views or tags.
 */
import { createServer, type ServerResponse } from 'node:http'
import { MongoClient, type Document } from 'mongodb'

type Stored = Document & { readonly _id: string; readonly light: string; readonly heavy?: string }

const [, , port, url] = process.argv
const client = new MongoClient(url ?? '', { readConcernLevel: 'majority', readPreference: 'primary' })
const database = client.db()
const documents = (collection: string) => database.collection<Stored>(`documents_${collection}`)
const whole = { version: 1, light: 1, heavy: 1 }
const light = { version: 1, light: 1, layout: 1 }

const byIds = (collection: string, names: readonly string[]): Promise<readonly Stored[]> =>
  documents(collection)
    .find({ _id: { $in: [...names] } }, { projection: light })
    .toArray()

/** The object, and what it refers to: its images and its section at once, then the sections above. */
const readOne = async (instance: string, collection: string, id: string): Promise<string> => {
  const found = await documents(collection).findOne({ _id: `${instance}/${id}` }, { projection: whole })
  if (found === null) throw new Error(`there is no ${id}`)
  const named = ({ light: text }: Stored, names: readonly string[]): readonly string[] => {
    const value = JSON.parse(text) as Record<string, unknown>
    return names.flatMap((name) => (typeof value[name] === 'string' ? [`${instance}/${value[name]}`] : []))
  }
  const [files, sections] = await Promise.all([
    byIds('files', named(found, ['teaser_image_uuid', 'header_image_uuid'])),
    byIds('sections', named(found, ['section_uuid'])),
  ])
  for (let above = sections; above.length > 0;) {
    const parents = above.flatMap((section) => named(section, ['parent_uuid']))
    above = parents.length === 0 ? [] : await byIds('sections', parents)
  }
  return JSON.stringify([found.light, found.heavy ?? null, files.length])
}

/** The first page of content by its date, the newest first. */
const readPage = async (instance: string): Promise<string> => {
  const found = await documents('content')
    .find(
      { instance: Number(instance) },
      {
        projection: { ...light, sequence: 1, 'keys.issued': 1 },
        sort: new Map([
          ['keys.issued', -1],
          ['sequence', 1],
        ]),
        limit: 101,
      },
    )
    .toArray()
  return JSON.stringify(found.map((stored) => (JSON.parse(stored.light) as Record<string, unknown>)['title']))
}

const respond = async (path: string, response: ServerResponse): Promise<void> => {
  const [, instance = '', collection = '', id] = path.split('?')[0]?.split('/') ?? []
  const body = id === undefined ? await readPage(instance) : await readOne(instance, collection, id)
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(body)
}

await client.connect()
createServer((request, response) => {
  respond(request.url ?? '', response).catch((error: unknown) => response.writeHead(500).end(String(error)))
}).listen(Number(port), '127.0.0.1')
