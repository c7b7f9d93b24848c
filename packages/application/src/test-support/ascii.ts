import { textOf } from '../ascii.js'

export { bytesOf, textOf } from '../ascii.js'

/** The complete text of a body that arrives in chunks. */
export const textFrom = async (chunks: AsyncIterable<Uint8Array>): Promise<string> => {
  let text = ''
  for await (const chunk of chunks) text += textOf(chunk)
  return text
}
