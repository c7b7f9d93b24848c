/** Passes a body on as it comes, and keeps its first bytes. */
export const headOf = (
  body: AsyncIterable<Uint8Array>,
  limit: number,
): { readonly body: AsyncIterable<Uint8Array>; readonly head: () => Uint8Array } => {
  const chunks: Uint8Array[] = []
  let length = 0
  async function* pass() {
    for await (const chunk of body) {
      if (length < limit) {
        const part = chunk.slice(0, limit - length)
        chunks.push(part)
        length += part.length
      }
      yield chunk
    }
  }
  return {
    body: pass(),
    head: () => {
      const whole = new Uint8Array(length)
      let offset = 0
      for (const chunk of chunks) {
        whole.set(chunk, offset)
        offset += chunk.length
      }
      return whole
    },
  }
}
