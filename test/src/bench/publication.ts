/** The publication that rows read and write, created through the service on empty stores. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Role } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { isJsonObject, type JsonObject } from '@publishing-service/domain/json'
import { startService, type Service } from '@publishing-service/composition-root'
import { fetchToken } from '../durability/service-process.js'
import { configurationOf } from '../harness/start-test-service.js'
import { article, contentId, fileId, imageCount, sectionCount, sectionId } from './article.js'
import { exchange, get, jsonOf } from './exchange.js'
import type { Variables } from './processes.js'

type Tokens = Readonly<Record<'reader' | 'visitor' | 'editor', string>>

export type Instance = { readonly instance: number; readonly tokens: Tokens }

export type Publication = Instance & {
  readonly articles: number
  /** Paths of a stored derivative, and of a file. */
  readonly derivative: string
  readonly download: string
}

const photograph = fileURLToPath(
  new URL('../../../packages/conformance/photographs/rocket.jpg', import.meta.url),
)
const filePath = `files/${fileId(imageCount + 1)}`
/** The data of a file of so many bytes. */
export const fileBytes = (size: number): Buffer => Buffer.alloc(size, 'bytes of a large file ')

const simultaneous = 4
const firstIssue = Date.parse('2020-01-01T00:00:00Z')

const rightOf = <A>(result: E.Either<unknown, A>): A => {
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
  return result.right
}

/** The access token of a new key with this role. */
const tokenFor = async ({ url, useCases }: Service, instance: number, role: Role): Promise<string> => {
  const key = rightOf(await useCases.administerKeys.create({ instance, role })())
  return fetchToken(url, { key: key.api_key, secret: key.api_secret })
}

export const tokensFor = async (service: Service, instance: number): Promise<Tokens> => ({
  reader: await tokenFor(service, instance, 'reader'),
  visitor: await tokenFor(service, instance, 'public_user'),
  editor: await tokenFor(service, instance, 'editor'),
})

/** A write below the instance, which has to succeed. */
type Write = (method: string, path: string, body: JsonObject | Buffer, type?: string) => Promise<JsonObject>

const writer =
  (url: string, instance: number, token: string): Write =>
  async (method, path, body, type = 'application/json') => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': type }
    const bytes = Buffer.isBuffer(body) ? body : JSON.stringify(body)
    const response = await exchange(url, { method, path: `/${instance}/${path}`, headers, body: bytes })
    const read = response.status === 200 ? jsonOf(response) : null
    if (!isJsonObject(read)) throw new Error(`${method} ${path} gave ${response.body.toString()}`)
    return read
  }

/** Five sections at the top, the others below them. */
const putSection = (write: Write, number: number): Promise<JsonObject> => {
  const parent = number <= 5 ? {} : { parent_uuid: sectionId(((number - 6) % 5) + 1) }
  const section = { title: `Section ${number}`, urlname: `section-${number}`, ...parent }
  return write('PUT', `sections/${sectionId(number)}`, section)
}

const putArticles = async (write: Write, articles: number): Promise<void> => {
  let next = 1
  const putNext = async (): Promise<void> => {
    for (let number = next++; number <= articles; number = next++) {
      const issued = new Date(firstIssue + number * 60_000).toISOString()
      await write('PUT', `content/${contentId(number)}`, { ...article(number, number), issued })
    }
  }
  await Promise.all(Array.from({ length: simultaneous }, putNext))
}

/** Returns the path of the data. */
const upload = async (write: Write, path: string, filename: string, bytes: Buffer, type: string) => {
  await write('PUT', path, { title: filename, filename })
  const { download_url: address } = await write('POST', path, bytes, type)
  return new URL(String(address)).pathname
}

/** Fills empty stores with articles in sections, images, and a file of 100 KB. */
export const createPublication = async (variables: Variables, articles: number): Promise<Publication> => {
  const service = await startService(configurationOf({ ...variables, PORT: '0', LOG_LEVEL: 'error' }))
  try {
    const { administerInstances } = service.useCases
    // The sample publication has an instance of its own, so that its articles are not on the pages.
    const settings = { title: 'Bench', timezone: 'Europe/Vienna' }
    const { id: instance } = rightOf(await administerInstances.create(settings)())
    const tokens = await tokensFor(service, instance)
    const write = writer(service.url, instance, await tokenFor(service, instance, 'admin'))
    for (let number = 1; number <= sectionCount; number += 1) await putSection(write, number)
    const photo = await readFile(photograph)
    let image = ''
    for (let number = imageCount; number >= 1; number -= 1)
      image = await upload(write, `files/${fileId(number)}`, `rocket-${number}.jpg`, photo, 'image/jpeg')
    const octets = 'application/octet-stream'
    const download = await upload(write, filePath, 'plan.bin', fileBytes(100 * 1024), octets)
    await putArticles(write, articles)
    const derivative = `${image}?w=400`
    // The first request creates the derivative; the others are served from the store.
    const scaled = await get(service.url, derivative, { Authorization: `Bearer ${tokens.reader}` })
    if (scaled.status !== 200) throw new Error(`scaling gave ${scaled.body.toString()}`)
    return { instance, articles, tokens, derivative, download }
  } finally {
    await service.stop()
  }
}
