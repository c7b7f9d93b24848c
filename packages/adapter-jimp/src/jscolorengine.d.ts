/** What is used of the library, which has no types of its own. */
declare module 'jscolorengine' {
  class Profile {
    readonly loaded: boolean
    readonly header: { readonly space: string }
    loadBinary(bytes: Uint8Array): void
  }

  class Transform {
    constructor(options: { readonly dataFormat: 'int8'; readonly buildLut: boolean })
    create(from: Profile | string, to: Profile | string, intent: number): void
    /** Samples in the order of the profile, without alpha. */
    array(samples: Uint8ClampedArray): Uint8ClampedArray
  }

  const engine: {
    readonly Profile: typeof Profile
    readonly Transform: typeof Transform
    readonly eIntent: { readonly perceptual: number }
  }
  export default engine
}
