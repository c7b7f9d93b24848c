/** Stores files with data in a publication. */
import { randomUUID } from 'node:crypto'
import type { Api } from './http-client.js'
import { expectOk } from './expect-response.js'
import { smallPng, someAudio } from './small-files.js'

export type Upload = {
  readonly title?: string
  readonly filename?: string
  readonly mimetype?: string
  readonly data?: Uint8Array
}

export type StoredFile = {
  readonly id: string
  /** The path of the download below the instance. */
  readonly download: string
}

/** The path of a URL below the instance. */
export const pathBelow = (address: unknown): string => new URL(String(address)).pathname.replace(/^\/\d+/, '')

export const uploadTo = async (api: Api, id: string, mimetype: string, data: Uint8Array): Promise<string> => {
  const response = await api.send('POST', `/files/${id}`, {
    body: data,
    headers: { 'Content-Type': mimetype },
  })
  return pathBelow(expectOk(response).object['download_url'])
}

/** Creates a file with metadata and data. */
export const storeFile = async (
  api: Api,
  { title = 'A file', filename = 'file.bin', mimetype = 'image/png', data = smallPng }: Upload = {},
): Promise<StoredFile> => {
  const id = randomUUID()
  expectOk(await api.put(`/files/${id}`, { title, filename }))
  return { id, download: await uploadTo(api, id, mimetype, data) }
}

export const storeImage = (api: Api): Promise<StoredFile> => storeFile(api)

export const storeAudio = (api: Api): Promise<StoredFile> =>
  storeFile(api, { filename: 'sound.mp3', mimetype: 'audio/mpeg', data: someAudio })
