import { fileDataAttributes } from '../file/file-data.js'
import type { Box } from '../image/scaled-size.js'
import type { JsonObject } from '../json.js'
import { unscaledFormats } from '../image/image-format.js'
import { reference } from '../value/reference.js'
import { derived, prefixed, stored } from './attribute.js'
import { attributeIn } from './table-entries.js'
import type { ViewContext } from './view-context.js'

type FileId = string | null | undefined

const fileIn = ({ find }: ViewContext, id: FileId): JsonObject | undefined =>
  typeof id === 'string' ? find('files', id) : undefined

/** The download address of a file's data, or null if the file is deleted or has no data. */
export const downloadUrl = (view: ViewContext, fileId: FileId, box?: Box): string | null => {
  const upload = attributeIn(fileDataAttributes, 'upload', fileIn(view, fileId))
  return typeof fileId === 'string' && upload !== null ? view.links.download(fileId, upload, box) : null
}

/** The MIME type of a file's data, or null. */
export const mimetypeOf = (view: ViewContext, fileId: FileId): string | null =>
  attributeIn(fileDataAttributes, 'mimetype', fileIn(view, fileId))

/** The size of a file's data in bytes, or null. */
export const byteSizeOf = (view: ViewContext, fileId: FileId): number | null =>
  attributeIn(fileDataAttributes, 'byte_size', fileIn(view, fileId))

/** A state with the UUID of a file. */
type Holding<N extends string> = Readonly<Record<N, string | null>>

/** What the parameters of the address of an image do. */
const scaling = `\`w\` and \`h\` scale it down, except ${unscaledFormats.join(', ')}, which are sent as they are.`

type ImageOptions<V extends string> = { readonly only?: readonly V[]; readonly addon?: true }

/** The pair of attributes for an image of the file library: `X_uuid` is written, `X_url` is read-only (docs/behaviour/writing.md#image-attributes). */
export const image = <N extends string, V extends string = string>(
  name: N,
  what: string,
  options: ImageOptions<V> = {},
) => {
  const uuidName = `${name}_uuid` as const
  return prefixed(name, {
    uuid: stored<string, V>(
      reference('files', { media: 'image' }),
      `${what}: an image of the file library.`,
      options,
    ),
    url: derived(
      { type: 'string', format: 'uri' },
      `${what}: where to download it. ${scaling}`,
      (state: Holding<`${N}_uuid`>, view) => downloadUrl(view, state[uuidName]),
      { needs: [uuidName], nullable: true, ...options },
    ),
  })
}
