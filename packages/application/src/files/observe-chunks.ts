/** Yields the chunks of a body unchanged, and passes each to an observer. */
export async function* observeChunks(
  body: AsyncIterable<Uint8Array>,
  onChunk: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    onChunk(chunk)
    yield chunk
  }
}
