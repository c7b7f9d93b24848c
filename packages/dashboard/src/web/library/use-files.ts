import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { JsonObject } from '@publishing-service/domain'
import { resourceNamed, useInstance } from '../service/instance-context.js'
import { textOf } from '../service/json.js'

export type FilesQuery = {
  readonly words: string
  /** Groups of MIME types such as `image`, joined by commas; empty for all. */
  readonly groups: string
  readonly order: string
  readonly page: number
  readonly rpp: number
}

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

export const canSearchFiles = (): boolean =>
  resourceNamed('files')?.filters.some(({ name }) => name === 'q') === true

/** A page of the library. */
export const useFiles = ({ words, groups, order, page, rpp }: FilesQuery) => {
  const { api, iid } = useInstance()
  const query = {
    fields: fileFields,
    page,
    rpp,
    ...(words === '' ? { order } : { q: words }),
    ...(groups === '' ? {} : { groups }),
  }
  return useQuery({
    queryKey: [iid, 'files', 'list', query],
    queryFn: async ({ signal }) => {
      const { rows, more } = await api.list('files', query, signal)
      return { files: rows.map(fileRow), more }
    },
    placeholderData: keepPreviousData,
  })
}
