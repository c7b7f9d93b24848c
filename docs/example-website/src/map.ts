/** A map of places, drawn from their coordinates: it loads nothing of another host. */
import { markup, type Value } from './markup.js'

type Coordinates = readonly number[]

/** The kilometres of a degree of latitude. */
const degree = 111.2

/** The distance of two places in kilometres, on a plane, which is exact enough within a city. */
export const distance = ([lat = 0, long = 0]: Coordinates, [toLat = 0, toLong = 0]: Coordinates): number =>
  Math.hypot(toLat - lat, (toLong - long) * Math.cos((lat * Math.PI) / 180)) * degree

export type Marked = { readonly title: string; readonly path: string; readonly coords: Coordinates | null }

const [width, height, margin] = [640, 280, 48]

export const mapOf = (places: readonly Marked[]): Value => {
  const known = places.flatMap(({ coords, ...place }) => {
    const [lat, long] = coords ?? []
    return lat === undefined || long === undefined ? [] : [{ ...place, lat, long }]
  })
  if (known.length === 0) return null
  const [lats, longs] = [known.map(({ lat }) => lat), known.map(({ long }) => long)]
  const [south, north] = [Math.min(...lats), Math.max(...lats)]
  const [west, east] = [Math.min(...longs), Math.max(...longs)]
  const [middle, centre] = [(south + north) / 2, (west + east) / 2]
  const across = degree * Math.cos((middle * Math.PI) / 180)
  // A map of one place shows a kilometre around it.
  const pixels = Math.min(
    (width - 2 * margin) / Math.max((east - west) * across, 2),
    (height - 2 * margin) / Math.max((north - south) * degree, 1),
  )
  const step = [1, 2, 5, 10, 20, 50, 100, 1000].find((kilometres) => kilometres * pixels >= 60) ?? 10_000
  const lines = (size: number) =>
    Array.from({ length: Math.ceil(size / step / pixels / 2) * 2 + 1 }, (_, index) =>
      Math.round(size / 2 + (index - Math.ceil(size / step / pixels / 2)) * step * pixels),
    )
  return markup`<svg class="map" viewBox="0 0 ${width} ${height}" role="group" aria-label="Map of the places">
    <g class="lines">${lines(width).map((x) => markup`<path d="M${x} 0V${height}"/>`)}
      ${lines(height).map((y) => markup`<path d="M0 ${y}H${width}"/>`)}</g>
    <path class="scale" d="M16 ${height - 16}h${Math.round(step * pixels)}"/>
    <text class="scale" x="16" y="${height - 24}">${step} km</text>
    ${known.map(({ title, path, lat, long }, index) => {
      const x = Math.round(width / 2 + (long - centre) * across * pixels)
      const y = Math.round(height / 2 - (lat - middle) * degree * pixels)
      return markup`<a href="${path}" aria-label="${index + 1} ${title}"><circle cx="${x}" cy="${y}" r="12"/>
        <text x="${x}" y="${y}">${index + 1}</text>
        <text class="${x > width / 2 ? 'label left' : 'label'}" x="${x}" y="${y}">${title}</text></a>`
    })}</svg>`
}
