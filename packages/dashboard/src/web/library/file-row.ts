import type { JsonObject } from '@publishing-service/domain/json'
import { textOf } from '../../json.js'

export const fileFields = [
  'uuid',
  'title',
  'filename',
  'mimetype',
  'byte_size',
  'download_url',
  'created',
] as const

export type FileRow = {
  readonly uuid: string
  readonly title: string | null
  readonly filename: string | null
  readonly mimetype: string | null
  readonly byte_size: number | null
  readonly download_url: string | null
  readonly created: string
}

export const fileTitle = ({ title, filename, uuid }: FileRow): string => title ?? filename ?? uuid

/** A row, or an object, in which attributes without a value are left out. */
export const fileRow = (row: JsonObject): FileRow => ({
  uuid: String(row['uuid']),
  title: textOf(row['title']),
  filename: textOf(row['filename']),
  mimetype: textOf(row['mimetype']),
  byte_size: typeof row['byte_size'] === 'number' ? row['byte_size'] : null,
  download_url: textOf(row['download_url']),
  created: String(row['created']),
})
