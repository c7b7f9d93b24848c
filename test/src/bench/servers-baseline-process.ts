/**
 * The baseline on servers: `node:http` that makes the queries of the service with the driver of MongoDB, and passes files on
 * with the client of MinIO. No rules, roles, views, digests or limits.
 */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { Client } from 'minio'
import { MongoClient, type Document } from 'mongodb'
import type { BaselineResponse } from './measure.js'

type Stored = Document & { readonly _id: string; readonly light: string }

const { PORT, MONGODB_URL = '', MINIO_URL = '', MINIO_BUCKET: bucket = '' } = process.env
const { MINIO_ACCESS_KEY: accessKey = '', MINIO_SECRET_KEY: secretKey = '' } = process.env
const { hostname, port } = new URL(MINIO_URL)
const minio = new Client({ endPoint: hostname, port: Number(port), useSSL: false, accessKey, secretKey })
const mongodb = new MongoClient(MONGODB_URL, { readConcernLevel: 'majority', readPreference: 'primary' })
const documents = (collection: string) => mongodb.db().collection<Stored>(`documents_${collection}`)
const projection = { version: 1, light: 1, layout: 1 }
const valueOf = ({ light }: Stored): Readonly<Record<string, string | null>> => JSON.parse(light)

/** The object, and what it refers to: its images and its section at once, then the sections above. */
const readOne = async (instance: string, id: string): Promise<unknown> => {
  const whole = { projection: { ...projection, heavy: 1 } }
  const found = await documents('content')
    .find({ _id: `${instance}/${id}` }, whole)
    .toArray()
  const targets = (collection: string, of: readonly Stored[], ...names: readonly string[]) => {
    const ids = of.flatMap((stored) => names.map((name) => `${instance}/${valueOf(stored)[name]}`))
    return documents(collection)
      .find({ _id: { $in: ids } }, { projection })
      .toArray()
  }
  const images = targets('files', found, 'teaser_image_uuid', 'header_image_uuid')
  let above = await targets('sections', found, 'section_uuid')
  while (above.some((section) => valueOf(section)['parent_uuid']))
    above = await targets('sections', above, 'parent_uuid')
  return [found, (await images).length]
}

/** The first page of content by its date, the newest first. */
const readPage = async (instance: string): Promise<unknown> => {
  const fields = { ...projection, sequence: 1, 'keys.issued': 1 }
  const page = { projection: fields, sort: { 'keys.issued': -1, sequence: 1 }, limit: 101 } as const
  const found = await documents('content')
    .find({ instance: Number(instance) }, page)
    .toArray()
  return found.map((stored) => valueOf(stored)['title'])
}

const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const [path = ''] = request.url?.split('?') ?? []
  const [, instance = '', collection, id] = path.split('/')
  if (request.method === 'PUT')
    await minio.putObject(
      bucket,
      'response',
      Buffer.from(((await json(request)) as BaselineResponse).body, 'base64'),
    )
  else if (request.method === 'POST') await minio.putObject(bucket, randomUUID(), request)
  else if (collection === 'content')
    response.write(JSON.stringify(id === undefined ? await readPage(instance) : await readOne(instance, id)))
  else if (path !== '/') return pipeline(await minio.getObject(bucket, 'response'), response)
  response.end()
}

createServer((request, response) => {
  respond(request, response).catch(() => response.destroy())
}).listen(Number(PORT), '127.0.0.1')
