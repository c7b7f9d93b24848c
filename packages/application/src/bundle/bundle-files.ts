/** What a bundle consists of: named data, of which a zip is made (docs/bundle.md). */
import type { BlobKey } from '@publishing-service/ports'

/** Where a bundle is written. */
export type NewBundle = {
  /** Adds data, one after the other. Rejects with what the data throws. */
  readonly add: (
    name: string,
    data: AsyncIterable<string | Uint8Array>,
    form: 'compressed' | 'as it is',
  ) => Promise<void>
}

/** A bundle that is read, again and again. What is read throws ExportDamaged where the data is missing or damaged. */
export type StoredBundle = {
  /** In bytes; null if there is no such data. */
  readonly sizeOf: (name: string) => number | null
  readonly text: (name: string) => AsyncIterable<string>
  readonly data: (name: string) => AsyncIterable<Uint8Array>
}

/** The lines of a bundle: those before the data of files, and those that are known once it is written. */
export const lineFiles = { before: 'documents.jsonl', after: 'blobs.jsonl' } as const

/** The name of the data of a file. */
export const blobFile = (key: BlobKey): string => `blobs/${key}`
