/** A body that consists of the number of its write, so that partial and mixed bodies are detected. */
export const numberedBody = (write: number): Uint8Array =>
  new Uint8Array(Buffer.alloc(((write * 7919) % 1_500) * 1024 + 64, `${write};`))

/** The number of the write that stored this body; null if the body is not complete. */
export const numberOf = (body: Uint8Array): number | null => {
  const text = Buffer.from(body.subarray(0, 16)).toString('latin1')
  const write = Number(text.slice(0, text.indexOf(';')))
  return Number.isSafeInteger(write) && Buffer.from(body).equals(numberedBody(write)) ? write : null
}
