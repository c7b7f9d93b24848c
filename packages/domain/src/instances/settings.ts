import type { JsonObject } from '../json.js'
import { isZone } from '../time/naive-date-time.js'
import { textsOf } from '../value/record.js'
import { boolean, integer } from '../value/scalar.js'
import { webAddress, websiteAddress, withAddress } from '../value/address.js'
import { matching, text, textOf } from '../value/text.js'
import { stored, type StateOf } from '../resource/attribute.js'
import { storedTest, partOf } from '../resource/attribute-tables.js'
import { fault, type Fault } from '../fault.js'

const notInAddress = '\\s\\u0000-\\u001f\\u007f<>"\\\\'

const inAddress = `[^${notInAddress}]*`

/** The address of a page with its path and the token, in either order. */
const previewPattern = `^https?://[^${notInAddress}/?#{}]+(${[
  ['\\{path\\}', '\\{token\\}'],
  ['\\{token\\}', '\\{path\\}'],
]
  .map(([first, second]) => `${inAddress}${first}${inAddress}${second}${inAddress}`)
  .join('|')})$`

/** A path in robots.txt (RFC 9309). */
const robotsPattern = '^/[^\\s\\u0000-\\u001f\\u007f#,]*$'

/** Settings of an instance (docs/behaviour/instance.md#settings). */
export const settingsAttributes = {
  timezone: stored(
    textOf(
      { format: 'time-zone', maxLength: 64 },
      'the name of a time zone, such as Europe/Vienna',
      (name) => (isZone(name) ? name : null),
    ),
    'Time zone of all naive date-times of the instance.',
    { required: true },
  ),
  directory_addon: stored(boolean, 'Whether locations can be directory listings.', { initial: false }),
  public_downloads: stored(boolean, 'Whether file data can be downloaded without a token.', {
    initial: false,
  }),
  prepare_images: stored(
    boolean,
    'Whether the sizes of images that websites use are made in the background after an upload.',
    { initial: false },
  ),
  public_feeds: stored(
    boolean,
    'Whether feeds, calendars, sitemaps and robots.txt can be read without a token.',
    {
      initial: false,
    },
  ),
  public_reading: stored(
    boolean,
    'Whether everything that a public_user reads can be read without a token, feeds and downloads included.',
    { initial: false },
  ),
  public_comments: stored(boolean, 'Whether visitors can send comments, without a token.', {
    initial: false,
  }),
  shared_max_age: stored(
    integer({ min: 0, max: 31_536_000 }),
    'Seconds for which shared caches, such as CDNs, may use responses to requests without a token.',
    { initial: 60 },
  ),
  title: stored(text({ max: 255, min: 1 }), 'Name of the publication.', { required: true }),
  language: stored(
    textOf(
      { pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$', maxLength: 35 },
      'a language tag such as en or de-AT',
      (tag) => (/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(tag) ? tag : null),
    ),
    'Language of the publication, as a BCP 47 tag.',
    { initial: 'en' },
  ),
  website_url: stored(
    websiteAddress,
    'Address of the public website, to which public paths are relative: scheme, host, port and path only.',
  ),
  preview_url: stored(
    withAddress(
      textOf(
        { format: 'preview-address', pattern: previewPattern, maxLength: 2048 },
        'an http or https address with {path} and {token}',
        matching(new RegExp(previewPattern)),
      ),
      (address) => address.replaceAll(/\{(?:path|token)\}/g, 'x'),
    ),
    'Address of previews on the website: `{path}` is replaced with the public path of the object, and `{token}` with the token.',
  ),
  hub_url: stored(
    webAddress,
    'Address of the WebSub hub that tells subscribers of changed feeds; feeds name it.',
  ),
  robots_disallow: stored(
    textsOf(
      textOf(
        { format: 'robots-path', pattern: robotsPattern, maxLength: 1000 },
        'a path that starts with /, without white space, # and commas',
        matching(new RegExp(robotsPattern)),
      ),
      100,
    ),
    'Starts of paths of the website that robots may not read; `*` is any text, and `$` the end.',
    { initial: [] },
  ),
} as const

/** The settings that are null until they are set. */
const unset = ['website_url', 'preview_url', 'hub_url'] as const
type Unset = (typeof unset)[number]

export const isUnsetSetting = (name: string): name is Unset => unset.some((each) => each === name)

type State = StateOf<typeof settingsAttributes>

/** All other settings are required or have a default. */
export type Settings = {
  readonly [K in Exclude<keyof State, Unset>]: NonNullable<State[K]>
} & Pick<State, Unset>

const isOfTypes = storedTest(settingsAttributes)

const isWhole = (state: State): state is State & Settings =>
  Object.entries(state).every(([name, value]) => isUnsetSetting(name) || value !== null)

/** The settings in a stored state, with the defaults of those that it lacks; null if the state is damaged. */
export const settingsIn = (value: JsonObject): Settings | null => {
  const state = partOf(settingsAttributes, value)
  return isOfTypes(value) && isWhole(state) ? state : null
}

/** Why a title does not confirm the deletion of an instance; null if it does. */
export const confirmationFault = ({ title }: Pick<Settings, 'title'>, given: string): Fault | null =>
  given === title ? null : fault('title', 'confirmation', 'must be exactly the title of the instance')

/**
 * Milliseconds after which no process serves requests for a deleted instance: each caches instances and roles for 3
 * seconds, and the rest is for running requests.
 */
export const deletionDelay = 5000
