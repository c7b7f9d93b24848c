/** The part of the library that is used; it has no types. */
declare module 'omggif' {
  export class GifReader {
    constructor(data: Uint8Array)
    readonly width: number
    readonly height: number
    numFrames(): number
    decodeAndBlitFrameRGBA(frame: number, pixels: Uint8Array): void
  }
}
