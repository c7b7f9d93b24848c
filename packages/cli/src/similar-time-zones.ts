/** Suggests time zones for an unknown name. */
import { distance } from 'fastest-levenshtein'

const most = 5
/** No name of a zone is nearly as long, and the work grows with it. */
const longest = 60

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '')

const cityOf = (zone: string): string => zone.slice(zone.lastIndexOf('/') + 1)

/** A city with its full name is nearest, on any continent; otherwise the edit distance counts. */
const spellingDistance = (wanted: string, zone: string): number => {
  if (plain(cityOf(wanted)) === plain(cityOf(zone))) return 0
  return Math.min(distance(plain(wanted), plain(zone)), distance(plain(cityOf(wanted)), plain(cityOf(zone))))
}

/** The nearest zones, nearest first; none if no zone is near. */
export const similarTimeZones = (wanted: string): readonly string[] => {
  if (wanted.length > longest) return []
  const mistakes = Math.max(1, Math.floor(plain(cityOf(wanted)).length / 4))
  return Intl.supportedValuesOf('timeZone')
    .map((zone) => ({ zone, far: spellingDistance(wanted, zone) }))
    .filter(({ far }) => far <= mistakes)
    .toSorted((one, other) => one.far - other.far)
    .slice(0, most)
    .map(({ zone }) => zone)
}
