/** What is used of the library, which has no types of its own. */
declare module 'omggif' {
  export class GifReader {
    constructor(data: Uint8Array)
    readonly width: number
    readonly height: number
    numFrames(): number
    decodeAndBlitFrameRGBA(frame: number, pixels: Uint8Array): void
  }
}
