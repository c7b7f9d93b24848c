/** Where files of Ghost are: at their former address, and in the zip of an export. */
import { parsedAddress } from '@publishing-service/domain/markup'
import { percentDecoded } from '../address-parts.js'

/** What Ghost writes in place of the address of the website. */
const placeholder = '__GHOST_URL__'

/** A text with the address of the website in place of its placeholder. */
export const withSite = (text: string, site: string): string => text.replaceAll(placeholder, () => site)

/** The folders of pictures, of sounds and videos, and of other files. */
const folder = /\/content\/(?:images|media|files)\//

/** The address of the original of a picture that Ghost has scaled; others as they are. */
export const originalAddress = (address: string): string =>
  address.replace(/(\/content\/images)\/size\/w\d+(?:h\d+)?(?:\/format\/\w+)?\//, '$1/')

const hostOf = (address: string): string => parsedAddress(address)?.host.replace(/^www\./, '') ?? ''

/** Whether an address is that of a file of this website. The hosting of Ghost stores files on hosts below `ghost.io`. */
export const isFileOfSite = (address: string, site: string): boolean => {
  const host = hostOf(address)
  const isOwn = host !== '' && (host === hostOf(site) || host.endsWith('.ghost.io'))
  return isOwn && folder.test(address)
}

const withoutQuery = (address: string): string => address.replace(/[?#].*$/s, '')

/**
 * The names that a file of a website of Ghost can have in a zip or in a folder, the likeliest first: below `content`, or
 * below the folder of that. Empty for an address of something else. A zip can have a folder around all of them.
 */
export const ghostEntryNames = (address: string): readonly string[] => {
  const path = percentDecoded(withoutQuery(originalAddress(address)))
  const start = path.search(folder)
  return start === -1 ? [] : [path.slice(start + '/'.length), path.slice(start + '/content/'.length)]
}

/** Whether an entry of a zip can be the export: a JSON at its top, in `data`, or in a folder around all. */
export const isGhostExportEntry = (name: string): boolean =>
  /^(?:[^/]+\/)?(?:data\/)?[^/]+\.json$/i.test(name) &&
  !/(?:^|\/)(?:redirects|package)[^/]*\.json$/i.test(name) &&
  !name.startsWith('__MACOSX/')
