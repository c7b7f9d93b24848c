/** Passes a body on as it comes, and shows each chunk to an observer on the way. */
export async function* observed(
  body: AsyncIterable<Uint8Array>,
  see: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    see(chunk)
    yield chunk
  }
}
