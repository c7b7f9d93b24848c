/**
 * Keys of file data in the blob store: `<instance>/<file>/<upload name>/original`, with derivatives in the same folder,
 * so that one removal deletes all blobs of an upload.
 */
export const uploadBlobs = (instance: number, fileId: string, name: string): string =>
  `${instance}/${fileId}/${name}`

const original = 'original'

export const originalBlob = (upload: string): string => `${upload}/${original}`

export const derivedBlob = (upload: string, name: string): string => `${upload}/${name}`

export const isDerived = (key: string): boolean => !key.endsWith(`/${original}`)
