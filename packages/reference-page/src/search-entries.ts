/** The entries of the search: everything with an address on a page, with the words that find it. */
import { bodySchema, type Schema } from '@publishing-service/domain'
import {
  documentationPages,
  endpoints,
  problemTable,
  queryableOf,
  type Endpoint,
  type PageName,
} from '@publishing-service/http-contract'
import {
  attributeId,
  describedObjects,
  schemaOf,
  operationHref,
  type DescribedObject,
} from './described-objects.js'
import { requestHeadings } from './pages/requests-page.js'

/** A search result: its title, its kind, and its address below the root. */
type SearchEntry = {
  readonly title: string
  readonly kind: string
  readonly href: string
  /** Words that find it like its title: its values and synonyms. */
  readonly words: readonly string[]
  /** Text that mentions it. */
  readonly text: string
}

const address = (page: PageName, fragment: string): string =>
  `${documentationPages[page].path.slice(1)}${fragment}`

/** Every value that a schema lists. */
const valuesOf = (schema: Schema): readonly string[] => [
  ...(schema.enum ?? []),
  ...[
    ...(schema.anyOf ?? []),
    ...(schema.prefixItems ?? []),
    ...(schema.items === undefined ? [] : [schema.items]),
    ...Object.values(schema.properties ?? {}),
  ].flatMap(valuesOf),
]

const objectEntries = (objects: readonly DescribedObject[]): readonly SearchEntry[] =>
  objects.flatMap(({ name, description, attributes }) => [
    { title: name, kind: 'object', href: address('objects', `#${name}`), words: [], text: description },
    ...attributes.map(([attribute, declaration]) => ({
      title: attribute,
      kind: name,
      href: address('objects', `#${attributeId(name, attribute)}`),
      words: valuesOf(schemaOf(declaration)),
      text: declaration.description,
    })),
  ])

/** The parameters of a query. Those of all collections are parts of the page on requests. */
const parameterEntries = (endpoint: Endpoint): readonly SearchEntry[] =>
  [
    ...endpoint.parameters,
    ...Object.entries(queryableOf(endpoint)?.filters ?? {}).map(([name, filter]) => ({ name, ...filter })),
  ].map(({ name, description, schema }) => ({
    title: name,
    kind: `parameter of ${endpoint.method} ${endpoint.path}`,
    href: address('reference', operationHref(endpoint)),
    words: valuesOf(schema),
    text: description,
  }))

const operationEntries = (objects: readonly DescribedObject[]): readonly SearchEntry[] =>
  endpoints.map((endpoint) => ({
    title: endpoint.summary,
    kind: `${endpoint.method} ${endpoint.path}`,
    href: address('reference', operationHref(endpoint)),
    words: [endpoint.id],
    text: [
      endpoint.description,
      ...Object.keys(queryableOf(endpoint)?.orders ?? {}),
      ...objects
        .filter((object) => object.endpoints.includes(endpoint))
        .flatMap(({ attributes }) => attributes.map(([name]) => name)),
    ].join(' '),
  }))

/** Synonyms that the declarations do not contain, by the title that they find. */
export const synonyms: Readonly<Record<string, readonly string[]>> = {
  urlname: ['slug', 'permalink', 'handle'],
  state: ['status', 'unpublished', 'visibility'],
  issued: ['publish date', 'publication date', 'schedule', 'embargo'],
  content_type: ['post type', 'article type'],
  description: ['teaser', 'excerpt', 'summary', 'abstract'],
  content: ['body', 'text', 'html'],
  kicker: ['eyebrow', 'overline'],
  section_uuid: ['channel', 'department', 'parent'],
  teaser_image_uuid: ['featured image', 'cover image', 'thumbnail'],
  meta_description: ['seo'],
  Content: ['article', 'story', 'post', 'page'],
  Section: ['category', 'channel', 'menu'],
  Location: ['place', 'venue', 'address', 'directory'],
  File: ['image', 'photo', 'upload', 'asset', 'attachment', 'media library'],
  Tag: ['keyword', 'topic', 'author', 'label'],
  Slot: ['gallery', 'slideshow', 'carousel'],
  not_found: ['404', 'missing'],
  forbidden: ['403', 'permission', 'access denied'],
  bad_parameters: ['400', 'validation', 'invalid'],
  too_many_requests: ['429', 'rate limit', 'throttling'],
  precondition_failed: ['412', 'conflict'],
}

const withSynonyms = (entry: SearchEntry): SearchEntry => ({
  ...entry,
  words: [...new Set([...entry.words, ...(synonyms[entry.title] ?? [])])],
})

/** All entries, in the order for equal ranks. */
export const searchEntries = (): readonly SearchEntry[] => {
  const objects = describedObjects(endpoints)
  return [
    ...Object.values(documentationPages).map(({ path, summary, description }) => ({
      title: summary,
      kind: 'page',
      href: path.slice(1),
      words: [],
      text: description,
    })),
    ...requestHeadings().map(({ id, title, words }) => ({
      title,
      kind: documentationPages.requests.summary,
      href: address('requests', `#${id}`),
      words,
      text: '',
    })),
    ...objectEntries(objects),
    ...Object.values(problemTable).map(({ error, status, meaning }) => ({
      title: error,
      kind: `error ${status}`,
      href: address('errors', `#${error}`),
      words: [String(status)],
      text: meaning,
    })),
    ...bodySchema.elements.map(({ name, description }) => ({
      title: `<${name}>`,
      kind: 'body markup',
      href: address('markup', `#${name}`),
      words: [name],
      text: description,
    })),
    ...endpoints.flatMap(parameterEntries),
    ...operationEntries(objects),
  ].map(withSynonyms)
}
