/** Locations near a point (docs/behaviour/locations.md#near). */
import { fault, type Fault } from '../fault.js'
import { E, type Either } from '../fp.js'
import type { JsonObject } from '../json.js'
import { computed } from '../resource/attribute.js'
import type { Filter } from '../resource/filter.js'
import type { CollectionFilter } from '../resource/collection-filter.js'

/** Latitude and longitude in degrees. */
export type Point = { readonly latitude: number; readonly longitude: number }

export type Circle = Point & { readonly kilometres: number }

export const nearLimits = {
  /** Minimum and maximum radius, in kilometres. */
  min: 0.001,
  max: 1000,
  /** Maximum number of rows up to the end of a page in the order `distance`. */
  rows: 10_000,
  /** Maximum number of locations whose events `near` selects. */
  venues: 1000,
} as const

/** The mean radius of the Earth, in kilometres. */
const earthRadius = 6371.0088

const radians = (degrees: number): number => (degrees * Math.PI) / 180

const kilometresPerDegree = radians(earthRadius)

/** The distance on the sphere, in kilometres, by the haversine formula. */
export const distanceBetween = (a: Point, b: Point): number => {
  const [from, to] = [radians(a.latitude), radians(b.latitude)]
  const half = Math.sin((to - from) / 2) ** 2
  const across = Math.cos(from) * Math.cos(to) * Math.sin(radians(b.longitude - a.longitude) / 2) ** 2
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(half + across)))
}

/** The edges of the cells of each grid, in kilometres. */
const edges = [1, 4, 16, 64, 256, 1024] as const

/** The number of the band of a grid: its cells between two latitudes. */
const bandAt = (latitude: number, edge: number): number =>
  Math.floor(((latitude + 90) * kilometresPerDegree) / edge)

/** The number of cells of a band, so that they are about as wide as high. */
const columnsOf = (band: number, edge: number): number => {
  const middle = ((band + 0.5) * edge) / kilometresPerDegree - 90
  return Math.max(1, Math.floor((360 * Math.cos(radians(Math.min(middle, 90))) * kilometresPerDegree) / edge))
}

/** The number of a column, in a band of so many; it may lie beyond the antimeridian. */
const columnAt = (longitude: number, columns: number): number =>
  Math.floor(((longitude + 180) / 360) * columns)

const cell = (edge: number, band: number, column: number): string => {
  const columns = columnsOf(band, edge)
  return `${edge} ${band} ${((column % columns) + columns) % columns}`
}

const cellsOf = ({ latitude, longitude }: Point): readonly string[] =>
  edges.map((edge) => {
    const band = bandAt(latitude, edge)
    return cell(edge, band, columnAt(longitude, columnsOf(band, edge)))
  })

/** Half the difference between the longitudes that a circle reaches, in degrees; null if it contains a pole. */
const longitudeReach = (latitude: number, degrees: number): number | null =>
  Math.abs(latitude) + degrees >= 90
    ? null
    : (Math.asin(Math.sin(radians(degrees)) / Math.cos(radians(latitude))) * 180) / Math.PI

/** The cells of one grid that cover a circle, at most about forty. */
export const cellsAround = ({ latitude, longitude, kilometres }: Circle): readonly string[] => {
  // A little more than the radius, because the two formulas round differently.
  const degrees = (kilometres * 1.000_001 + 0.000_001) / kilometresPerDegree
  const edge = edges.find((each) => each >= kilometres / 2) ?? edges[edges.length - 1] ?? 1
  const reach = longitudeReach(latitude, degrees)
  const cells = new Set<string>()
  const last = bandAt(Math.min(90, latitude + degrees), edge)
  for (let band = bandAt(Math.max(-90, latitude - degrees), edge); band <= last; band += 1) {
    const columns = columnsOf(band, edge)
    const from = reach === null ? 0 : columnAt(longitude - reach, columns)
    const to =
      reach === null ? columns - 1 : Math.min(columnAt(longitude + reach, columns), from + columns - 1)
    for (let column = from; column <= to; column += 1) cells.add(cell(edge, band, column))
  }
  return [...cells]
}

type Located = { readonly coords: readonly number[] | null }

const pointOf = ({ coords }: Located): Point | null => {
  const [latitude, longitude] = coords ?? []
  return latitude === undefined || longitude === undefined ? null : { latitude, longitude }
}

/** The keys by which locations near a point are found. */
export const nearKeys = {
  cells: computed('texts', 'The cells of its coordinates in each grid.', ['coords'], (state: Located) => {
    const point = pointOf(state)
    return point === null ? [] : cellsOf(point)
  }),
} as const

const coordsOf = ({ coords = null }: JsonObject): Located =>
  Array.isArray(coords) && coords.every((each) => typeof each === 'number')
    ? { coords: coords.filter((each) => typeof each === 'number') }
    : { coords: null }

/** The distance of a stored location from a point, in kilometres; null if it has no coordinates. */
export const distanceOf = (state: JsonObject, from: Point): number | null => {
  const point = pointOf(coordsOf(state))
  return point === null ? null : distanceBetween(point, from)
}

/** The condition that locations in a circle meet, and some around it. */
export const aroundCircle = (circle: Circle): Filter => ({
  anyOf: cellsAround(circle).map((each) => [{ key: 'cells', has: each }]),
})

/** The conditions without that of a circle. */
export const withoutCircle = (where: readonly Filter[]): readonly Filter[] =>
  where.filter(
    (filter) =>
      !('anyOf' in filter && filter.anyOf.some((group) => group.some(({ key }) => key === 'cells'))),
  )

const accepted = `must be <latitude>,<longitude>,<kilometres>, such as 48.21,16.37,5, with ${nearLimits.min} to ${nearLimits.max} kilometres`

const fraction = '(?:\\.\\d{1,15})?'
const latitudePattern = `-?(?:[1-8]?\\d${fraction}|90)`
const longitudePattern = `-?(?:(?:1[0-7]|[1-9])?\\d${fraction}|180)`
const radiusPattern = `(?:[1-9]\\d{0,2}${fraction}|1000|0\\.(?:[1-9]|0[1-9]|00[1-9])\\d{0,12})`
const pattern = `^${latitudePattern},${longitudePattern},${radiusPattern}$`
const circlePattern = new RegExp(pattern)

/** The circle of a parameter `near`, or what is accepted. */
export const parseCircle = (text: string): Either<string, Circle> => {
  const [north = 0, east = 0, radius = 0] = text.split(',').map(Number)
  return circlePattern.test(text)
    ? E.right({ latitude: north, longitude: east, kilometres: radius })
    : E.left(accepted)
}

const schema = { type: 'string', format: 'circle', pattern } as const

/** Locations in a circle. */
export const nearFilter: CollectionFilter<'cells'> = {
  description: 'Only locations in this circle: `<latitude>,<longitude>,<kilometres>`.',
  schema,
  keys: ['cells'],
  nearest: 'distance',
  parse: (text) => {
    const circle = parseCircle(text)
    return E.isLeft(circle) ? circle : E.right([aroundCircle(circle.right)])
  },
  refine: (text) => {
    const circle = parseCircle(text)
    if (E.isLeft(circle)) return () => false
    return (state) => (distanceOf(state, circle.right) ?? Number.POSITIVE_INFINITY) <= circle.right.kilometres
  },
}

const venueKey = 'near'

/** Events at locations in a circle. Its condition is not on a key: it contains the circle until `withVenues` replaces it. */
export const nearVenueFilter: CollectionFilter<'location_uuid'> = {
  description: `Only events at locations in this circle: \`<latitude>,<longitude>,<kilometres>\`; it must contain at most ${nearLimits.venues} locations.`,
  schema,
  keys: ['location_uuid'],
  nearest: 'distance',
  parse: (text) => {
    const circle = parseCircle(text)
    if (E.isLeft(circle)) return circle
    const { latitude, longitude, kilometres } = circle.right
    return E.right([{ key: venueKey, oneOf: [latitude, longitude, kilometres] }])
  },
}

const isOnVenue = (filter: Filter): filter is Extract<Filter, { readonly oneOf: unknown }> =>
  'oneOf' in filter && filter.key === venueKey

/** The circle of the locations of events that conditions name. */
export const venueCircleIn = (where: readonly Filter[]): Circle | null => {
  const [latitude, longitude, kilometres] = where.find(isOnVenue)?.oneOf ?? []
  return typeof latitude === 'number' && typeof longitude === 'number' && typeof kilometres === 'number'
    ? { latitude, longitude, kilometres }
    : null
}

/** The faults of a circle that contains too many locations of events. */
export const tooManyVenues: readonly Fault[] = [
  fault('near', 'limit', `contains more than ${nearLimits.venues} locations; choose fewer kilometres`),
]

/** The faults of a page too far down the order `distance`. */
export const tooFarPage: readonly Fault[] = [
  fault('page', 'limit', `must end within the first ${nearLimits.rows} rows in the order distance`),
]

/** The conditions with the locations in the circle instead of it. */
export const withVenues = (where: readonly Filter[], locations: readonly string[]): readonly Filter[] =>
  where.map((filter) => (isOnVenue(filter) ? { key: 'location_uuid', oneOf: locations } : filter))
