import type { components } from './api.js'

/** What a picture is made of: an image of a page, such as `header_image` or `file` of a medium. */
export type PictureSource = Pick<
  components['schemas']['Picture'],
  'url' | 'width' | 'height' | 'alt' | 'focal_point' | 'srcset'
>

export type PictureOptions = {
  /** How wide the image is shown, as the attribute `sizes` of `img`, such as `(min-width: 60rem) 40rem, 100vw`. */
  readonly sizes: string
  /** Crops to width divided by height, around the focal point. By default, the whole image. */
  readonly ratio?: number
}

/** The attributes of an `img`. Those that a browser needs no value for are absent. */
export type PictureAttributes = {
  readonly src: string
  readonly alt: string
  /** Absent for an image that the service does not scale. */
  readonly srcset?: string
  readonly sizes?: string
  /** With `height`, it reserves the space, so that the page does not move. Absent if it is not known. */
  readonly width?: number
  readonly height?: number
}

/** The widest image for a browser that does not know `srcset`, in pixels. */
const usualWidth = 960

type Candidate = { readonly width: number; readonly height: number; readonly url: string }

/** The image in its widths, none larger than the original. */
const candidatesOf = (file: PictureSource, ratio: number | undefined): readonly Candidate[] => {
  const { url, width: fullWidth, height: fullHeight, focal_point: focus, srcset } = file
  if (fullWidth === null || fullHeight === null) return []
  if (ratio === undefined)
    return srcset.map((entry) => ({
      ...entry,
      height: Math.max(Math.round((entry.width * fullHeight) / fullWidth), 1),
    }))
  const widest = Math.min(fullWidth, Math.floor(fullHeight * ratio))
  const widths = new Set(srcset.map(({ width }) => Math.min(width, widest)))
  return Array.from(widths, (width) => {
    const height = Math.max(Math.round(width / ratio), 1)
    const crop = `fit=cover&format=auto&focal_point=${focus?.x ?? 0.5},${focus?.y ?? 0.5}`
    return { width, height, url: `${url}?w=${width}&h=${height}&${crop}` }
  })
}

/**
 * The attributes of an `img` that shows an image in the width that the browser needs, in the best format that it accepts
 * (docs/images.md#responsive-images). For JSX, Astro and Vue they can be spread; `htmlAttributes` writes them.
 */
export const picture = (file: PictureSource, { sizes, ratio }: PictureOptions): PictureAttributes => {
  const candidates = candidatesOf(file, ratio)
  const usual = candidates.findLast(({ width }) => width <= usualWidth) ?? candidates[0]
  const largest = candidates.at(-1)
  const alt = file.alt ?? ''
  if (usual === undefined || largest === undefined) {
    const { url: src, width, height } = file
    return { src, alt, ...(width !== null && height !== null && { width, height }) }
  }
  const srcset = candidates.map(({ url, width }) => `${url} ${width}w`).join(', ')
  return { src: usual.url, srcset, sizes, width: largest.width, height: largest.height, alt }
}
