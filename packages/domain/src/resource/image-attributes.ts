import type { JsonObject } from '../json.js'
import { reference } from '../value/reference.js'
import { derived, stored, type DerivedAttribute, type StoredAttribute } from './attribute.js'
import type { View } from './view-context.js'

/** The download address of a file's data, or null where the file or its data is gone. */
export const downloadUrl = (view: View, fileId: unknown, box?: number): string | null => {
  if (typeof fileId !== 'string') return null
  const upload = view.find('files', fileId)?.['upload']
  return typeof upload === 'number' ? view.links.download(fileId, upload, box) : null
}

/** The MIME type of a file's data, or null. */
export const mimetypeOf = (view: View, fileId: unknown): string | null => {
  const mimetype = typeof fileId === 'string' ? view.find('files', fileId)?.['mimetype'] : null
  return typeof mimetype === 'string' ? mimetype : null
}

type ImageAttributes<N extends string> = { readonly [K in `${N}_uuid`]: StoredAttribute<string> } & {
  readonly [K in `${N}_url`]: DerivedAttribute
}

/** The pair `X_uuid`, written, and `X_url`, read, of an image in the file library (decisions §7). */
export const image = <N extends string>(
  name: N,
  what: string,
  options: { readonly only?: readonly string[]; readonly addon?: true } = {},
): ImageAttributes<N> => {
  const uuidName = `${name}_uuid`
  const pair = {
    [uuidName]: stored(
      reference('files', { media: 'image' }),
      `${what}: an image of the file library.`,
      options,
    ),
    [`${name}_url`]: derived(
      { type: 'string', format: 'uri' },
      `${what}: where to download it.`,
      (state: JsonObject, view) => downloadUrl(view, state[uuidName]),
      { needs: [uuidName], nullable: true, ...options },
    ),
  }
  return pair as ImageAttributes<N>
}
