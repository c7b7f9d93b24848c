/** Content codings of responses, the preferred one first. */
export const codings = ['br', 'gzip'] as const
export type Coding = (typeof codings)[number]

/** The compressed forms of a body, made when they are first requested. */
export type CodedForms = Map<Coding, Buffer | Promise<Buffer>>

/** A response as it is sent. */
export type ReadyResponse = {
  /** JSON in ASCII, as text or bytes; or the bytes of another text or of file data. */
  readonly body: string | Buffer
  /** The entity tag of the body; empty if the response has none. */
  readonly tag: string
  /** Cache-Control. */
  readonly control: string
  /** The request headers that it depends on, besides Origin; empty if there are none. */
  readonly vary: string
  /** Its other headers, of 200 only: names and values alternate, which Node.js writes fastest. */
  readonly headers: readonly string[]
  /** Content-Security-Policy instead of that of the exchange; null for none. */
  readonly policy?: string | null
  /** Null if it is never compressed. */
  readonly forms: CodedForms | null
}

/** Bytes of the compressed forms that have been made. */
export const codedBytes = (forms: CodedForms | null): number => {
  let bytes = 0
  for (const form of forms?.values() ?? []) if (Buffer.isBuffer(form)) bytes += form.length
  return bytes
}

/** The value of Vary for these request headers, and Accept-Encoding if the response can be compressed. */
export const varyBy = (names: readonly string[], isCompressed: boolean): string =>
  [...names, ...(isCompressed ? ['Accept-Encoding'] : [])].join(', ')
