import { E, type TaskEither } from '@publishing-service/domain'
import { isPortFailure, portFailure, type PortFailure } from './port-failure.js'

/** Bytes that are opened only once their turn comes, and how many they are. */
export type SizedBody<F> = {
  readonly bytes: number
  /** Whoever opens it reads it, or ends the iteration. An iteration that fails throws a PortFailure. */
  readonly open: TaskEither<F, AsyncIterable<Uint8Array>>
}

const wrongLength = (found: string, bytes: number): PortFailure =>
  portFailure('blob store', `a body of ${bytes} bytes has ${found}`)

/** The chunks as they come. Throws a PortFailure where they aren't as many bytes as they should be. */
export async function* chunksOf(
  bytes: number,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let given = 0
  for await (const chunk of chunks) {
    given += chunk.length
    if (given > bytes) throw wrongLength('more', bytes)
    yield chunk
  }
  if (given < bytes) throw wrongLength(`only ${given}`, bytes)
}

/** All of a body in one piece. */
export const wholeOf =
  <F>({ bytes, open }: SizedBody<F>): TaskEither<F | PortFailure, Uint8Array> =>
  async () => {
    const opened = await open()
    if (E.isLeft(opened)) return opened
    const whole = new Uint8Array(bytes)
    let offset = 0
    try {
      for await (const chunk of chunksOf(bytes, opened.right)) {
        whole.set(chunk, offset)
        offset += chunk.length
      }
    } catch (error) {
      if (isPortFailure(error)) return E.left(error)
      throw error
    }
    return E.right(whole)
  }
