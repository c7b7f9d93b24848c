/**
 * Writes lines to a descriptor asynchronously. Lines are buffered and written in order, and errors are never thrown. Lines
 * that cannot be written are dropped and counted. Buffered lines are written when the process exits.
 */
import { close as closeDescriptor, write, writeSync } from 'node:fs'

type LineWriter = {
  /** Adds a text of complete lines. */
  readonly write: (lines: string) => void
  /** Begins to write the buffered lines, however few. */
  readonly flush: () => void
  /** Resolves when all buffered lines are written or dropped. Idempotent. Later lines are ignored. */
  readonly close: () => Promise<void>
}

type LineWriterOptions = {
  readonly descriptor: number
  /** Whether closing the writer closes the descriptor. */
  readonly owned: boolean
  /** Called after the next successful write with the number of lines that were lost before it. */
  readonly onLost: (lines: number) => void
}

/** Buffered characters that start a write, and the maximum of one write. */
const enough = 16 * 1024
const pieceLength = 64 * 1024
/** Maximum of buffered characters while the destination does not accept them. */
const maxBuffered = 8 * 1024 * 1024
/** Milliseconds until a destination that was full is tried again, and for how long at the process's end. */
const pause = 50
const patienceAtEnd = 1_000

type Piece = { text: string; lines: number }

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null)

const sleep = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

/** Writes everything, or as much as the destination accepts before it fails. */
const writeAtEnd = (descriptor: number, bytes: Uint8Array): void => {
  const deadline = performance.now() + patienceAtEnd
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(descriptor, bytes, at)
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN' || performance.now() > deadline) return
      sleep(pause)
    }
  }
}

export const lineWriter = ({ descriptor, owned, onLost }: LineWriterOptions): LineWriter => {
  const pieces: Piece[] = []
  let buffered = 0
  let lost = 0
  let writing = false
  let hasFailed = false
  let closing: Promise<void> | null = null
  let closed: (() => void) | null = null

  const atEnd = (): void => {
    if (!hasFailed) writeAtEnd(descriptor, Buffer.from(pieces.map(({ text }) => text).join('')))
  }

  const finish = (): void => {
    process.off('exit', atEnd)
    if (closed === null) return
    if (owned) closeDescriptor(descriptor, closed)
    else closed()
  }

  const settle = (piece: Piece, written: boolean): void => {
    writing = false
    if (!written) lost += piece.lines
    else if (lost > 0 && closing === null) {
      const lines = lost
      lost = 0
      onLost(lines)
    }
    if (closing !== null && pieces.length === 0) finish()
    // The message about lost lines may have started the next write.
    else if (closing !== null || buffered >= enough) flush()
  }

  const send = (piece: Piece, bytes: Uint8Array): void => {
    write(descriptor, bytes, (error, count) => {
      if (error === null) {
        if (count === bytes.length) settle(piece, true)
        else send(piece, bytes.subarray(count))
      } else if (error.code === 'EAGAIN') {
        setTimeout(() => send(piece, bytes), pause)
      } else {
        // The reader has closed the pipe.
        hasFailed ||= error.code === 'EPIPE'
        if (hasFailed) pieces.length = 0
        settle(piece, false)
      }
    })
  }

  const next = (): void => {
    const piece = pieces.shift()
    if (piece === undefined) return
    buffered -= piece.text.length
    writing = true
    send(piece, Buffer.from(piece.text))
  }

  const flush = (): void => {
    if (!writing) next()
  }

  process.on('exit', atEnd)

  return {
    flush,
    write: (lines) => {
      if (closing !== null || hasFailed) return
      if (buffered + lines.length > maxBuffered) {
        lost += 1
        return
      }
      buffered += lines.length
      const last = pieces.at(-1)
      if (last === undefined || last.text.length + lines.length > pieceLength)
        pieces.push({ text: lines, lines: 1 })
      else {
        last.text += lines
        last.lines += 1
      }
      if (buffered >= enough) flush()
    },
    close: () => {
      closing ??= new Promise((resolve) => {
        closed = resolve
        if (writing) return
        if (pieces.length === 0) finish()
        else next()
      })
      return closing
    },
  }
}
