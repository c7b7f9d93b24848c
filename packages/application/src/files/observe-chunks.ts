/** Passes a body on as it comes, and shows each chunk to an observer on the way. */
export async function* observeChunks(
  body: AsyncIterable<Uint8Array>,
  onChunk: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    onChunk(chunk)
    yield chunk
  }
}
