import { bytesOf, textOf } from '../files/file-blobs.js'

export { bytesOf, textOf } from '../files/file-blobs.js'

/** A body that arrives in one chunk. */
export async function* bodyOf(text: string): AsyncGenerator<Uint8Array> {
  yield bytesOf(text)
}

/** The complete text of a body that arrives in chunks. */
export const textFrom = async (chunks: AsyncIterable<Uint8Array>): Promise<string> => {
  let text = ''
  for await (const chunk of chunks) text += textOf(chunk)
  return text
}
