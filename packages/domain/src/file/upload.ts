/** The data of a file as a client sends it. */
export type Upload = {
  readonly contentType: string | undefined
  /** Bytes, where the client declared them. */
  readonly length: number | undefined
  readonly body: AsyncIterable<Uint8Array>
}
