const hexadecimal = (channel: number): string => Math.round(channel).toString(16).padStart(2, '0')

/**
 * The average colour of pixels of red, green, blue and alpha, as `#` and six hexadecimal digits. Pixels count by their
 * opacity; without a visible one it is white.
 */
export const averageColour = (pixels: Uint8Array): string => {
  const sums = [0, 0, 0]
  let opacity = 0
  for (let at = 0; at + 3 < pixels.length; at += 4) {
    const alpha = pixels[at + 3] ?? 0
    opacity += alpha
    for (const channel of sums.keys())
      sums[channel] = (sums[channel] ?? 0) + (pixels[at + channel] ?? 0) * alpha
  }
  return `#${sums.map((sum) => hexadecimal(opacity === 0 ? 255 : sum / opacity)).join('')}`
}
