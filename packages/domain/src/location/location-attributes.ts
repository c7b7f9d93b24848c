import { derived, stored } from '../resource/attribute.js'
import { image } from '../resource/image-attributes.js'
import { publicationState } from '../resource/publication.js'
import { stamps } from '../resource/stamps.js'
import { markup } from '../value/markup.js'
import { boolean, integer } from '../value/scalar.js'
import { emailAddresses, text, urlname, webAddress } from '../value/text.js'
import { coordinates } from './coordinates.js'
import { facebookUid } from './facebook-uid.js'
import { priceIndex } from './price-index.js'

const coordinate = (index: 0 | 1, what: string) =>
  derived(
    { type: 'number' },
    `${what} in degrees, from coords.`,
    ({ coords }: { readonly coords: readonly number[] | null }) => coords?.[index] ?? null,
    { nullable: true },
  )

/** Maximum length of a text of one line, in characters. */
export const maxLine = 255

const line = (description: string) => stored(text({ max: maxLine }), description)

/** The bounds of the numbers of places at GeoNames. */
export const geonameIds = { min: 1, max: 2_000_000_000 } as const

/** The attributes of every location (docs/behaviour/locations.md). */
export const locationAttributes = {
  title: stored(text({ max: 255, min: 1 }), 'Title.', { required: true, searched: 'title' }),
  urlname: stored(urlname, 'Name in public paths; unique among locations.', { required: true }),
  sort_title: stored(text({ max: 255 }), 'Title to sort by instead of the title.'),
  kicker: stored(text({ max: maxLine }), 'Line above the title.', { searched: 'description' }),
  description: stored(text({ max: 10_000 }), 'Teaser text.', { searched: 'description' }),
  content: stored(
    markup({ slots: false, max: 1_000_000, plainText: true }),
    'Text: XML-compliant HTML, or plain text without `<`.',
    { heavy: true, searched: 'body' },
  ),
  print_description: stored(text({ max: 100_000 }), 'Text for the print edition.', { heavy: true }),
  state: publicationState('published'),
  ...stamps,
  street: stored(text({ max: maxLine }), 'Street.', { searched: 'body' }),
  streetnumber: line('Number in the street.'),
  pcode: stored(text({ max: maxLine }), 'Postal code.', { searched: 'body' }),
  geoname_id: stored(integer(geonameIds), 'Number of the place at GeoNames.'),
  coords: stored(coordinates, 'Latitude and longitude in degrees.'),
  lat: coordinate(0, 'Latitude'),
  long: coordinate(1, 'Longitude'),
  phone: line('Telephone.'),
  fax: line('Fax.'),
  email: stored(emailAddresses, 'E-mail address.'),
  website: stored(webAddress, 'Website.'),
  opening_hours: stored(text({ max: 5000 }), 'Opening hours; line breaks are preserved.'),
  ...image('thumb', 'Thumbnail'),
  closed: stored(boolean, 'Whether it is closed for business.', { initial: false }),
  price_index: stored(priceIndex, 'How expensive it is; sent in any letter case.'),
  reservation_url: stored(webAddress, 'Where to reserve.'),
  fb_headline: line('Headline of the Facebook box.'),
  fb_url: stored(webAddress, 'Page on Facebook.'),
  fb_uid: stored(facebookUid, 'User or page at Facebook, by name or number.'),
  fb_show_faces: stored(boolean, 'Whether the Facebook box shows faces.', { initial: true }),
  fb_show_stream: stored(boolean, 'Whether the Facebook box shows the stream.', { initial: true }),
  twitter_username: line('User name at Twitter.'),
  instagram_username: line('User name at Instagram.'),
  linkedin_url: stored(webAddress, 'Page at LinkedIn.'),
  meta_title: stored(text({ max: 1000 }), 'Title for search engines.'),
  meta_description: stored(text({ max: 5000 }), 'Description for search engines.'),
} as const
