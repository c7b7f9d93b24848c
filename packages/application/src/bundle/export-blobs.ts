import type { BlobKey } from '@publishing-service/ports'

/** The files of the exports of an instance. They are no uploads, and no backup or copy needs them. */
export const exportsFolder = (instance: number): string => `exports/${instance}`

export const exportBlob = (instance: number, id: string): BlobKey => `${exportsFolder(instance)}/${id}/bundle`
