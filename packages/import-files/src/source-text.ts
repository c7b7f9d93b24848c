/** The text of a file that is imported. */
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { UnreadableSource } from '@publishing-service/imports'

/** A file that is read as a whole has at most so many bytes, because no longer text can be in memory. */
const maxBytes = 400_000_000

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`

/** Throws an UnreadableSource for data that is too long to be read as a whole. */
export const requireLength = (bytes: number): void => {
  if (bytes > maxBytes)
    throw new UnreadableSource(
      `it has ${megabytes(bytes)}, and at most ${megabytes(maxBytes)} can be read. Divide it`,
    )
}

/** The value that a text of JSON is. Throws an UnreadableSource for another text. */
export const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UnreadableSource(`it is no JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const decoderOf = (label: string) => {
  try {
    return new TextDecoder(label)
  } catch {
    throw new UnreadableSource(`its encoding ${label} is not known`)
  }
}

/** The first bytes of a file. */
const beginOf = async (file: string): Promise<Buffer> => {
  const handle = await open(file)
  try {
    const first = Buffer.alloc(256)
    const { bytesRead } = await handle.read(first, 0, first.length, 0)
    return first.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** The encoding that a byte order mark says; null without one. */
const markedEncoding = (bytes: Buffer): string | null => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 'utf-8' : null
}

/** The encoding that the first bytes of an XML document say; UTF-8 by default. */
const encodingOf = async (file: string): Promise<string> => {
  const bytes = await beginOf(file)
  const [, label = 'utf-8'] =
    /^(?:\uFEFF)?\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(bytes.toString('utf8')) ?? []
  const marked = markedEncoding(bytes)
  return marked === null || marked === 'utf-8' ? label : marked
}

async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  for await (const piece of createReadStream(file, { highWaterMark: 256 * 1024 }))
    if (piece instanceof Uint8Array) yield piece
}

/** Whether the bytes of a file are UTF-8. */
const isUtf8 = async (file: string): Promise<boolean> => {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const piece of bytesOf(file)) decoder.decode(piece, { stream: true })
    decoder.decode()
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

/** Reads a file in pieces. Each call of the result reads it once more. Throws an UnreadableSource for an unknown encoding. */
const piecesIn = (file: string, encoding: string): (() => AsyncIterable<string>) => {
  decoderOf(encoding)
  return async function* () {
    const decoder = decoderOf(encoding)
    for await (const piece of bytesOf(file)) {
      const text = decoder.decode(piece, { stream: true })
      if (text !== '') yield text
    }
    const rest = decoder.decode()
    if (rest !== '') yield rest
  }
}

/**
 * Reads a file in pieces that does not say its encoding: the given one, or that of its byte order mark, else UTF-8 or, for
 * bytes that are none, Windows-1252.
 */
export const plainPieces = async (
  file: string,
  encoding: string | null,
): Promise<() => AsyncIterable<string>> => {
  const known = encoding ?? markedEncoding(await beginOf(file))
  return piecesIn(file, known ?? ((await isUtf8(file)) ? 'utf-8' : 'windows-1252'))
}

/** Reads an XML document in pieces, in the encoding that it says. Each call of the result reads it once more. */
export const xmlPieces = async (file: string): Promise<() => AsyncIterable<string>> =>
  piecesIn(file, await encodingOf(file))

const joined = async (read: () => AsyncIterable<string>): Promise<string> => {
  const pieces: string[] = []
  for await (const piece of read()) pieces.push(piece)
  return pieces.join('')
}

/** The whole text of an XML document. */
export const xmlText = async (file: string): Promise<string> => {
  requireLength((await stat(file)).size)
  return joined(await xmlPieces(file))
}

/** The whole text of a file that does not say its encoding. */
export const plainText = async (file: string, encoding: string | null): Promise<string> => {
  requireLength((await stat(file)).size)
  return joined(await plainPieces(file, encoding))
}
