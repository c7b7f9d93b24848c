/** The publication that the bench reads and writes, created through the service in a separate data folder. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { E, isJsonObject, type JsonObject, type Role } from '@publishing-service/domain'
import { startService, type Service } from '@publishing-service/composition-root'
import { configurationOf } from '../harness/start-test-service.js'
import { article, contentId, fileId, imageCount, sectionCount, sectionId } from './article.js'
import { createAgent, exchange, jsonOf } from './exchange.js'

export type Tokens = Readonly<Record<'reader' | 'visitor' | 'editor', string>>

export type Publication = {
  readonly instance: number
  readonly objects: number
  readonly tokens: Tokens
  /** Paths of downloads: the photograph, scaled once already, and a file of 100 KB. */
  readonly downloads: { readonly derivative: string; readonly file: string; readonly fileBytes: Buffer }
}

/** An instance next to the sample publication, whose articles would be counted too. */
export const ownInstance = async ({ useCases }: Service): Promise<number> => {
  const made = await useCases.administerInstances.create({ title: 'Bench', timezone: 'Europe/Vienna' })()
  if (E.isLeft(made)) throw new Error(`no instance could be made: ${JSON.stringify(made.left)}`)
  return made.right.id
}

type Ask = (method: string, path: string, body: JsonObject | Buffer, type?: string) => Promise<JsonObject>

const photograph = fileURLToPath(
  new URL('../../../packages/conformance/photographs/rocket.jpg', import.meta.url),
)
const plainFile = imageCount + 1
const plainFileBytes = 100 * 1024
const hanging = 32

/** The access token of a new key with this role. */
export const tokenFor = async ({ url, useCases }: Service, instance: number, role: Role): Promise<string> => {
  const key = await useCases.administerKeys.create({ instance, role })()
  if (E.isLeft(key)) throw new Error(`no ${role} key could be made: ${JSON.stringify(key.left)}`)
  const { api_key, api_secret } = key.right
  const form = new URLSearchParams({ grant_type: 'client_credentials', api_key, api_secret })
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const response = await exchange(
    url,
    { method: 'POST', path: '/oauth/token', headers, body: form.toString() },
    false,
  )
  const grant = jsonOf(response)
  if (!isJsonObject(grant) || typeof grant['access_token'] !== 'string')
    throw new Error('no token was returned')
  return grant['access_token']
}

export const writerFor = (url: string, token: string): Ask => {
  const agent = createAgent(hanging)
  return async (method, path, body, type = 'application/json') => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': type }
    const bytes = Buffer.isBuffer(body) ? body : JSON.stringify(body)
    const response = await exchange(url, { method, path, headers, body: bytes }, agent)
    if (response.status !== 200)
      throw new Error(`${method} ${path} gave ${response.status}: ${response.body.toString()}`)
    const read = jsonOf(response)
    return isJsonObject(read) ? read : {}
  }
}

export const uploadTo = async (
  ask: Ask,
  instance: number,
  number: number,
  filename: string,
  bytes: Buffer,
  type: string,
): Promise<string> => {
  const path = `/${instance}/files/${fileId(number)}`
  await ask('PUT', path, { title: filename, filename })
  const { download_url: address } = await ask('POST', path, bytes, type)
  return new URL(String(address)).pathname
}

/** Bytes without a pattern, the same in every run. */
const plainBytes = (): Buffer => {
  let state = 1
  return Buffer.from(
    Uint8Array.from({ length: plainFileBytes }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
      return state >>> 16
    }),
  )
}

const plantSections = async (ask: Ask, instance: number): Promise<void> => {
  for (let number = 1; number <= sectionCount; number += 1) {
    // Five sections at the top, the others below them.
    const parent = number <= 5 ? {} : { parent_uuid: sectionId(((number - 6) % 5) + 1) }
    await ask('PUT', `/${instance}/sections/${sectionId(number)}`, {
      title: `Section ${number}`,
      urlname: `section-${number}`,
      ...parent,
    })
  }
}

const minute = 60_000
const firstIssue = Date.parse('2020-01-01T00:00:00Z')

const plantArticles = async (
  ask: Ask,
  instance: number,
  objects: number,
  progress: (made: number) => void,
): Promise<void> => {
  let next = 1
  const plant = async (): Promise<void> => {
    for (let number = next++; number <= objects; number = next++) {
      const issued = new Date(firstIssue + number * minute).toISOString()
      await ask('PUT', `/${instance}/content/${contentId(number)}`, { ...article(number, number), issued })
      if (number % 1000 === 0) progress(number)
    }
  }
  await Promise.all(Array.from({ length: hanging }, plant))
}

/** Fills empty stores, by default those of the data folder, with `objects` articles in sections, with images; ends the service that it used. */
export const createPublication = async (
  dataDirectory: string,
  objects: number,
  progress: (made: number) => void,
  environment: Readonly<Record<string, string>> = {},
): Promise<Publication> => {
  const service = await startService(
    configurationOf({ ...environment, DATA_DIR: dataDirectory, PORT: '0', LOG_LEVEL: 'error' }),
  )
  try {
    const instance = await ownInstance(service)
    const reader = await tokenFor(service, instance, 'reader')
    const visitor = await tokenFor(service, instance, 'public_user')
    const editor = await tokenFor(service, instance, 'editor')
    const ask = writerFor(service.url, await tokenFor(service, instance, 'admin'))
    await plantSections(ask, instance)
    const photo = await readFile(photograph)
    const images: string[] = []
    for (let number = 1; number <= imageCount; number += 1)
      images.push(await uploadTo(ask, instance, number, `rocket-${number}.jpg`, photo, 'image/jpeg'))
    const fileBytes = plainBytes()
    const file = await uploadTo(ask, instance, plainFile, 'plan.bin', fileBytes, 'application/octet-stream')
    await plantArticles(ask, instance, objects, progress)
    const derivative = `${images[0] ?? ''}?w=400`
    // The first request makes the derivative; the others are served from the store.
    const headers = { Authorization: `Bearer ${reader}` }
    const made = await exchange(service.url, { method: 'GET', path: derivative, headers, body: null }, false)
    if (made.status !== 200) throw new Error(`scaling gave ${made.status}: ${made.body.toString()}`)
    return {
      instance,
      objects,
      tokens: { reader, visitor, editor },
      downloads: { derivative, file, fileBytes },
    }
  } finally {
    await service.stop()
  }
}
