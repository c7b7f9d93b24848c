/** A body that tells by each of its bytes which write it came from, so that a part of one is known as such. */
export const numberedBody = (write: number): Uint8Array =>
  new Uint8Array(Buffer.alloc(((write * 7919) % 1_500) * 1024 + 64, `${write};`))

/** The number of the write that this body came from, or null where it isn't the whole of one. */
export const numberOf = (body: Uint8Array): number | null => {
  const text = Buffer.from(body.subarray(0, 16)).toString('latin1')
  const write = Number(text.slice(0, text.indexOf(';')))
  return Number.isSafeInteger(write) && Buffer.from(body).equals(numberedBody(write)) ? write : null
}
