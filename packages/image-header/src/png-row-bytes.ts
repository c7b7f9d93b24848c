/**
 * The number of bytes of the rows of a PNG before compression, each with its filter byte: PNG specification, 7.2
 * to 8.2. `undefined` for a bit depth or colour type that doesn't exist.
 */

/** Bit depths by colour type, and samples a pixel: PNG specification, 11.2.1. */
const colourTypes: Readonly<
  Record<number, { readonly depths: readonly number[]; readonly samples: number }>
> = {
  0: { depths: [1, 2, 4, 8, 16], samples: 1 },
  2: { depths: [8, 16], samples: 3 },
  3: { depths: [1, 2, 4, 8], samples: 1 },
  4: { depths: [8, 16], samples: 2 },
  6: { depths: [8, 16], samples: 4 },
}

/** The seven passes of an interlaced picture: first column and row, and the steps between them. */
const passes: readonly (readonly [left: number, top: number, across: number, down: number])[] = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
]

const wholePicture: typeof passes = [[0, 0, 1, 1]]

/** `header` is the content of the chunk IHDR. */
export const pngRowBytes = (header: DataView): number | undefined => {
  const width = header.getUint32(0)
  const height = header.getUint32(4)
  const depth = header.getUint8(8)
  const colour = colourTypes[header.getUint8(9)]
  const interlace = header.getUint8(12)
  if (colour === undefined || !colour.depths.includes(depth) || interlace > 1) return undefined
  return (interlace === 1 ? passes : wholePicture).reduce((sum, [left, top, across, down]) => {
    const columns = Math.max(0, Math.ceil((width - left) / across))
    const rows = Math.max(0, Math.ceil((height - top) / down))
    return columns === 0 ? sum : sum + rows * (Math.ceil((columns * colour.samples * depth) / 8) + 1)
  }, 0)
}
