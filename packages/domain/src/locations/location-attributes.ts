import { fault, within } from '../fault.js'
import { E } from '../fp.js'
import { decimal, boolean, integer } from '../value/scalar.js'
import { schemasOf, type ValueType, plain, refused } from '../value/value-type.js'
import { emailAddresses, webAddress } from '../value/address.js'
import { numberAsText, textOf, text, urlname } from '../value/text.js'
import { derived, stored } from '../resource/attribute.js'
import { image } from '../files/file-data.js'
import { publicationState, stamps } from '../resource/standard-attributes.js'
import { markup } from '../value/markup.js'

const bounds = [decimal({ min: -90, max: 90 }), decimal({ min: -180, max: 180 })] as const

/** Latitude and longitude in degrees. */
export const coordinates: ValueType<readonly number[]> = {
  ...schemasOf((schemaOf) => ({
    type: 'array',
    format: 'coordinates',
    prefixItems: bounds.map(schemaOf),
    minItems: 2,
    maxItems: 2,
  })),
  decode: (value, context) => {
    if (!Array.isArray(value) || value.length !== 2)
      return E.left([fault('', 'type', 'must be a list of two numbers, latitude and longitude')])
    const read = bounds.map((each, index) => each.decode(value[index], context))
    const faults = read.flatMap((each, index) => (E.isLeft(each) ? within(index, each.left) : []))
    return faults.length > 0
      ? E.left(faults)
      : E.right(read.flatMap((each) => (E.isRight(each) ? [each.right] : [])))
  },
}

const pattern = '^[A-Za-z0-9_.-]{1,100}$'
const name = { type: 'string', format: 'facebook-name', pattern, maxLength: 100 } as const
const form = new RegExp(pattern)

const readName = plain('text', name, (value) => {
  const sent = Number.isInteger(value) ? numberAsText(value) : value
  return typeof sent === 'string' && form.test(sent)
    ? E.right(sent)
    : refused('format', 'must be 1 to 100 letters, digits, underscores, dots and hyphens, or a whole number')
})

/** A user or page at Facebook, by name or number; a number may be sent as a number (docs/behaviour/locations.md#facebook-id). */
export const facebookUid: ValueType<string> = {
  ...readName,
  inputSchema: {
    anyOf: [name, { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }],
  },
}

const levels = ['free', 'inexpensive', 'moderate', 'expensive', 'very_expensive'] as const

const capitalized = (level: string): string => `${level[0]?.toUpperCase()}${level.slice(1).replace('_', ' ')}`

/** The words of the filter `price_index`, with the values that are stored. */
export const priceLevels: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  levels.map((level) => [level, [capitalized(level)]]),
)

const readLevel = textOf(
  { format: 'price-index', enum: levels.map(capitalized), maxLength: 20 },
  `one of ${levels.join(', ')}`,
  (value) => {
    const sent = value.toLowerCase().replace(' ', '_')
    const level = levels.find((each) => each === sent)
    return level === undefined ? null : capitalized(level)
  },
)

/** How expensive a location is: accepted in any letter case, with a space or an underscore; stored as «Very expensive». */
export const priceIndex: ValueType<string> = {
  ...readLevel,
  inputSchema: { type: 'string', format: 'price-index', maxLength: 20 },
}

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
