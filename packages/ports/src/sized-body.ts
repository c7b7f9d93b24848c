import { E, type TaskEither } from '@publishing-service/domain/fp'
import { isPortFailure, portFailure, type PortFailure } from './port-failure.js'

/** A body of known size that is opened when it is needed. */
export type SizedBody<F> = {
  readonly bytes: number
  /** The caller reads it to the end or ends the iteration. An iteration throws a PortFailure if a store fails. */
  readonly open: TaskEither<F, AsyncIterable<Uint8Array>>
}

const wrongLength = (found: string, bytes: number): PortFailure =>
  portFailure('blob store', `a body of ${bytes} bytes has ${found}`)

/** The chunks as they arrive. Throws a PortFailure if their total size differs from `bytes`. */
export async function* chunksOf(
  bytes: number,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let received = 0
  for await (const chunk of chunks) {
    received += chunk.length
    if (received > bytes) throw wrongLength('more', bytes)
    yield chunk
  }
  if (received < bytes) throw wrongLength(`only ${received}`, bytes)
}

/** A whole body as one array. */
export const readWhole =
  <F>({ bytes, open }: SizedBody<F>): TaskEither<F | PortFailure, Uint8Array> =>
  async () => {
    const opened = await open()
    if (E.isLeft(opened)) return opened
    const whole = new Uint8Array(bytes)
    let offset = 0
    try {
      for await (const chunk of opened.right) {
        if (offset + chunk.length > bytes) return E.left(wrongLength('more', bytes))
        whole.set(chunk, offset)
        offset += chunk.length
      }
    } catch (error) {
      if (isPortFailure(error)) return E.left(error)
      throw error
    }
    return offset < bytes ? E.left(wrongLength(`only ${offset}`, bytes)) : E.right(whole)
  }
