/** The request bodies of the examples in the OpenAPI document, for a service with the sample publication. */
import type { Json, JsonObject } from '@publishing-service/domain'

/** The objects that the bodies refer to. */
export type ReferredObjects = {
  readonly section: string
  readonly image: string
  readonly locations: readonly string[]
}

/** The slot of the created content object. */
const ownSlot = '3d0c7a52-1e4b-4f6a-9d88-5b2f60c1a7e4'

const titled = (title: string): JsonObject => ({
  title,
  urlname: title.toLowerCase().replaceAll(/[^a-z]+/g, '-'),
})

/** Creation bodies, by the name of the resource in operations. */
export const newObjects = ({ section }: ReferredObjects): Readonly<Record<string, JsonObject>> => ({
  Section: { ...titled('Sport'), ord: 4, meta_description: 'Games, and who plays them.' },
  Content: {
    content_type: 'article',
    ...titled('The last tram'),
    description: 'It leaves at half past midnight, and it waits for nobody.',
    content: `<p>The driver has a name for each of us. <em>Mine is the one who runs.</em></p>
<slot id="${ownSlot}"/>`,
    section_uuid: section,
    state: 'published',
  },
  Location: {
    ...titled('Tram Museum'),
    street: 'Depot Street',
    streetnumber: '3',
    pcode: '1030',
    coords: [48.1956, 16.4003],
    price_index: 'inexpensive',
    website: 'https://trams.example.org',
  },
  File: { title: 'The last tram', filename: 'tram.png', credits: 'Nobody, CC0' },
  Tag: { last_name_or_title: 'Trams', urlname: 'trams', synonyms: ['Streetcars'] },
  TagCategory: { title: 'Means of transport' },
  Redirect: { pattern: '/trams/**', template: '/transport/trams/\\1', ord: 20 },
})

/** The content types that are not in the sample. */
export const furtherContent = ({ locations }: ReferredObjects): readonly JsonObject[] => [
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
    location_uuid: locations[1] ?? null,
  },
  {
    content_type: 'roundup_location',
    ...titled('Two doors that stay open late'),
    roundup_locations: locations
      .slice(0, 2)
      .map((location_uuid): Json => ({ location_uuid, content: '<p>Ring twice.</p>' })),
    roundup_numbering: 'asc',
    roundup_location_tour_type: 'walking',
  },
]

/** Changes of objects of the sample. */
export const changes: Readonly<Record<string, JsonObject>> = {
  Section: { show_prev_next: true },
  Content: { kicker: 'From the archive', evergreen: true },
  Location: { opening_hours: 'Mon–Fri 7–19' },
  File: { credits: 'SpaceX, public domain' },
  Tag: { synonyms: ['Luna'] },
  TagCategory: { title: 'Location types' },
  Redirect: { permanent: false },
}

/** A medium of each type. */
export const media = ({ image }: ReferredObjects): Readonly<Record<string, JsonObject>> => ({
  file: { type: 'file', title: 'On its pad', image_uuid: image },
  external: {
    type: 'external',
    url_type: 'video_host_1',
    url: 'https://www.youtube.com/watch?v=nvVr9mBLt4U',
    title: 'The launch',
  },
  embed: { type: 'embed', embed_code: '<iframe src="https://maps.example.org/embed?q=48.2,16.3"></iframe>' },
})

export const blog: JsonObject = { ...titled('Night shift'), description: 'Written between two and five.' }

export const headlines = (story: string): JsonObject => ({
  auto: false,
  items: [
    { type: 'content', link_uuid: story },
    { type: 'link', link_url: 'https://weather.example.org', title: 'Tonight: clear until four' },
  ],
})

export const newComment = (story: string): JsonObject => ({
  parent_type: 'content',
  parent_uuid: story,
  title: 'The commander',
  comment: 'who took it??',
  creator: 'Mira',
  email: 'mira@example.org',
})

export const relatedLinks = (location: string): readonly JsonObject[] => [
  { type: 'location', target_uuid: location },
  { type: 'url', link_url: 'https://images.nasa.gov/', text: 'More photographs at NASA' },
]
