/** The data of files of another system. */
import type { Either } from '../fp.js'
import type { ImportedObject } from './imported-object.js'

export type ImportedMedia = {
  readonly body: AsyncIterable<Uint8Array>
  /** MIME type; undefined if it follows from the name of the file. */
  readonly type: string | undefined
  /** In bytes; undefined if unknown. */
  readonly length: number | undefined
}

/** Opens the data of a file; else says why it is missing. */
export type OpenMedia = (
  upload: NonNullable<ImportedObject['upload']>,
) => Promise<Either<string, ImportedMedia>>
