/** Versions of releases, `X.Y.Z`, and `X.Y.Z-dev` while that release is developed. */

const pattern = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/
const suffix = '-dev'

export const isRelease = (version: string): boolean => pattern.test(version)

/** The release that a version of the development leads to; null if it is no such version. */
export const releaseOf = (development: string): string | null => {
  const release = development.endsWith(suffix) ? development.slice(0, -suffix.length) : ''
  return isRelease(release) ? release : null
}

export const developmentOf = (release: string): string => `${release}${suffix}`

const partsOf = (release: string): readonly number[] => (pattern.exec(release) ?? []).slice(1).map(Number)

export const nextMinor = (release: string): string => {
  const [major = 0, minor = 0] = partsOf(release)
  return `${major}.${minor + 1}.0`
}

export const isLater = (release: string, than: string): boolean => {
  const before = partsOf(than)
  const difference = partsOf(release).map((part, index) => part - (before[index] ?? 0))
  return (difference.find((each) => each !== 0) ?? 0) > 0
}

/**
 * The text with another version in place of one. A version that only begins or ends in the same way, such as `1.0.2.0` or
 * `0.2.0-dev.1`, stays.
 */
export const withVersion = (text: string, from: string, to: string): string =>
  text.replaceAll(new RegExp(`(?<![\\d.])${from.replaceAll('.', '\\.')}(?![\\w-]|\\.\\d)`, 'g'), () => to)
