/**
 * The part of a GIF that is passed to the decoder: the first frame, if its codes are valid and it is within the screen.
 */
import { imagingFixtures } from '@publishing-service/conformance'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { gifFirstFrame } from './gif-first-frame.js'

const { gifOf, joined, seededBytes } = imagingFixtures
const buffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes)

/** Offset of the image descriptor of the only frame: after screen, palette and timing. */
const descriptor = 13 + 12 + 8

/** A GIF of one frame with these codes, of 3 bits each at first. Code 4 clears the table, 5 ends the frame. */
const withCodes = (codes: Uint8Array): Buffer =>
  Buffer.concat([
    buffer(gifOf(4, 4, [1])).subarray(0, descriptor + 11),
    Uint8Array.of(codes.length, ...codes, 0, 0x3b),
  ])

describe('the first frame of a GIF', () => {
  it('is returned without other frames, comments and trailing bytes', () => {
    const comment = Uint8Array.of(0x21, 0xfe, 5, ...Buffer.from('a spy'), 0)
    const animated = gifOf(6, 4, [1, 2, 3])
    const commented = joined(animated.subarray(0, 25), comment, animated.subarray(25), seededBytes(50, 1))
    const first = gifFirstFrame(buffer(commented))
    expect(first).to.deep.equal(buffer(gifOf(6, 4, [1])))
  })

  it('is undefined if the data ends within it', () => {
    const whole = buffer(gifOf(60, 40, [1]))
    for (let length = 13; length < whole.length - 1; length += 1)
      expect(gifFirstFrame(whole.subarray(0, length)), `${length} bytes`).to.equal(undefined)
  })

  it('is undefined if it exceeds the screen, has no pixels, or has more pixels than its bytes can encode', () => {
    const frame = (left: number, width: number, height: number, screen = 6): Buffer => {
      const gif = buffer(gifOf(6, 4, [1]))
      gif.writeUInt16LE(screen, 6)
      gif.writeUInt16LE(screen, 8)
      gif.writeUInt16LE(left, descriptor + 1)
      gif.writeUInt16LE(width, descriptor + 5)
      gif.writeUInt16LE(height, descriptor + 7)
      return gif
    }
    expect(gifFirstFrame(frame(0, 6, 4))).to.not.equal(undefined)
    expect(gifFirstFrame(frame(1, 6, 4))).to.equal(undefined)
    expect(gifFirstFrame(frame(0, 0, 4))).to.equal(undefined)
    expect(gifFirstFrame(frame(0, 9000, 9000, 9000))).to.equal(undefined)
  })

  it('is undefined if a code refers to an undefined run, on which omggif loops endlessly', () => {
    // 4 clears the table, 1 is a colour, 6 is the first run: valid.
    expect(gifFirstFrame(withCodes(Uint8Array.of(0b10001100, 0b01011)))).to.not.equal(undefined)
    // The same with 7, although 6 is the only defined run.
    expect(gifFirstFrame(withCodes(Uint8Array.of(0b11001100, 0b01011)))).to.equal(undefined)
    // A run directly after the table was cleared.
    expect(gifFirstFrame(withCodes(Uint8Array.of(0b10110100, 0b00001)))).to.equal(undefined)
  })

  it('is undefined if its minimum code size is invalid', () => {
    for (const bits of [0, 1, 9, 255]) {
      const gif = buffer(gifOf(6, 4, [1]))
      gif.writeUInt8(bits, descriptor + 10)
      expect(gifFirstFrame(gif), `${bits} bits`).to.equal(undefined)
    }
  })
})
