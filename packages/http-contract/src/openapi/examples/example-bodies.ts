/** What the examples send. Each is accepted by a new service, except those about users, which it does not have. */
import type { JsonObject } from '@publishing-service/domain/json'
import type { DeploymentFacts } from '../../deployment-facts.js'
import { image, location, locationType, section, story, venues } from './sample-objects.js'

const titled = (title: string): JsonObject => ({
  title,
  urlname: title.toLowerCase().replaceAll(/[^a-z]+/g, '-'),
})

const settings: JsonObject = {
  title: 'Demo',
  timezone: 'Europe/Vienna',
  language: 'en',
  directory_addon: true,
  website_url: 'https://www.example.org',
}

/** Bodies by the name of their shape or schema; several if it has variants. The first fits `sampleObjects`. */
const bodies: Readonly<Record<string, readonly JsonObject[]>> = {
  TokenRequest: [
    {
      grant_type: 'client_credentials',
      api_key: 'example-key-of-the-demo',
      api_secret: 'an-example-of-a-secret-that-nobody-may-know',
    },
  ],
  RevocationRequest: [{ token: 'example-of-an-access-token' }],
  Settings: [settings],
  Instance: [settings],
  Section: [{ ...titled('Sport'), ord: 4, meta_description: 'Games, and who plays them.' }],
  Content: [
    {
      content_type: 'article',
      ...titled('The last tram'),
      description: 'It leaves at half past midnight, and it waits for nobody.',
      content: `<p>The driver has a name for each of us. <em>Mine is the one who runs.</em></p>
<slot id="3d0c7a52-1e4b-4f6a-9d88-5b2f60c1a7e4"/>`,
      section_uuid: section,
      state: 'published',
    },
    {
      content_type: 'review_product',
      ...titled('A kettle with a spout like a heron'),
      rating: '4.5',
      product_title: 'Heron',
      product_buy_urls: [{ url: 'https://shop.example.org/heron', link_text: 'At the shop' }],
    },
    {
      content_type: 'review_location',
      ...titled('Standing room'),
      rating: '4',
      location_uuid: location,
    },
    {
      content_type: 'roundup_location',
      ...titled('Two doors that stay open late'),
      roundup_locations: venues.map((location_uuid) => ({ location_uuid, content: '<p>Ring twice.</p>' })),
      roundup_numbering: 'asc',
      roundup_location_tour_type: 'walking',
    },
  ],
  Location: [
    {
      ...titled('Tram Museum'),
      street: 'Depot Street',
      streetnumber: '3',
      pcode: '1030',
      coords: [48.1956, 16.4003],
      price_index: 'inexpensive',
      website: 'https://trams.example.org',
    },
  ],
  File: [{ title: 'The last tram', filename: 'tram.png', credits: 'Nobody, CC0' }],
  Tag: [{ last_name_or_title: 'Trams', urlname: 'trams', synonyms: ['Streetcars'] }],
  TagCategory: [{ title: 'Means of transport' }],
  Redirect: [{ pattern: '/trams/**', template: '/transport/trams/\\1', ord: 20 }],
  Comment: [
    {
      parent_type: 'content',
      parent_uuid: story,
      title: 'The commander',
      comment: 'who took it??',
      creator: 'Mira',
      email: 'mira@example.org',
    },
  ],
  Homepage: [{ title: 'Homepage' }],
  Blog: [{ ...titled('Night shift'), description: 'Written between two and five.' }],
  Slot: [{ relevance: 'inline', display: 'carousel' }],
  ListingImage: [{ uuid: image }],
  CategoryTag: [{ tag_uuid: locationType }],
  Tagging: [{ created: '2026-02-28T18:00:00' }],
  EarlierPath: [{ path: '/an-earlier-path/' }],
  RelatedLink: [
    { type: 'location', target_uuid: location },
    { type: 'url', link_url: 'https://images.nasa.gov/', text: 'More photographs at NASA' },
  ],
  StoryList: [{ auto: false, auto_max: 4, auto_tag_uuids: [] }],
  Story: [
    { type: 'content', link_uuid: story },
    { type: 'link', link_url: 'https://weather.example.org', title: 'Tonight: clear until four' },
  ],
  User: [{ name: 'website', roles: [{ instance: 1, roles: ['editor'] }] }],
  UserRoles: [{ items: [{ instance: 1, roles: ['public_user'] }] }],
  InstanceRoles: [{ roles: ['reader'] }],
  NewKey: [{ title: 'website' }],
}

/** A medium of each type; none of a streaming host where a deployment has no host. */
const media = ({ streamingHosts: [host] }: DeploymentFacts): readonly JsonObject[] => [
  { type: 'file', title: 'On its pad', image_uuid: image },
  ...(host === undefined
    ? []
    : [
        {
          type: 'external',
          url_type: host.name,
          url: `https://${host.hosts[0]?.replace(/^\./, 'www.') ?? ''}/the-launch`,
          title: 'The launch',
        },
      ]),
  { type: 'embed', embed_code: '<iframe src="https://maps.example.org/embed?q=48.2,16.3"></iframe>' },
]

/** The bodies of a shape or schema, by its name; none where they are made from the schema alone. */
export const bodiesOf = (name: string, facts: DeploymentFacts): readonly JsonObject[] =>
  name === 'Medium' ? media(facts) : (bodies[name] ?? [])

/** Changes of objects, by the name of their shape; for others, the first attribute of the body is changed. */
export const changes: Readonly<Record<string, JsonObject>> = {
  Section: { show_prev_next: true },
  Content: { kicker: 'From the archive', evergreen: true },
  Location: { opening_hours: 'Mon–Fri 7–19' },
  Comment: { edited_comment: 'Who took it?', state: 'published' },
  Redirect: { permanent: false },
  Slot: { display: 'gallery' },
}
