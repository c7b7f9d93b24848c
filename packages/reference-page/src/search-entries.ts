/** What the search finds: everything that has a place of its own on a page, with the words that lead there. */
import { bodySchema } from '@publishing-service/domain'
import { documentationPages, endpoints, problemTable, type PageName } from '@publishing-service/http-contract'
import { attributeId, describedObjects, type DescribedObject } from './described-objects.js'
import { operationHref } from './operation-href.js'
import { requestHeadings } from './pages/requests-page.js'

/** A place that is found: its title, what kind of thing it is, its address below the root, and further words. */
export type SearchEntry = {
  readonly title: string
  readonly kind: string
  readonly href: string
  readonly text: string
}

const address = (page: PageName, fragment: string): string =>
  `${documentationPages[page].path.slice(1)}${fragment}`

const objectEntries = (objects: readonly DescribedObject[]): readonly SearchEntry[] =>
  objects.flatMap(({ name, description, attributes }) => [
    { title: name, kind: 'object', href: address('objects', `#${name}`), text: description },
    ...attributes.map(([attribute, declaration]) => ({
      title: attribute,
      kind: name,
      href: address('objects', `#${attributeId(name, attribute)}`),
      text: declaration.description,
    })),
  ])

const operationEntries = (objects: readonly DescribedObject[]): readonly SearchEntry[] =>
  endpoints.map((endpoint) => ({
    title: endpoint.summary,
    kind: `${endpoint.method} ${endpoint.path}`,
    href: address('reference', operationHref(endpoint)),
    text: [
      endpoint.id,
      endpoint.description,
      ...endpoint.parameters.map(({ name }) => name),
      ...objects
        .filter((object) => object.endpoints.includes(endpoint))
        .flatMap(({ attributes }) => attributes.map(([name]) => name)),
    ].join(' '),
  }))

/** Everything, in the order in which it is shown where it fits equally well. */
export const searchEntries = (): readonly SearchEntry[] => {
  const objects = describedObjects(endpoints)
  return [
    ...Object.values(documentationPages).map(({ path, summary, description }) => ({
      title: summary,
      kind: 'page',
      href: path.slice(1),
      text: description,
    })),
    ...requestHeadings().map(({ id, title }) => ({
      title,
      kind: documentationPages.requests.summary,
      href: address('requests', `#${id}`),
      text: '',
    })),
    ...objectEntries(objects),
    ...Object.values(problemTable).map(({ error, status, meaning }) => ({
      title: error,
      kind: `error ${status}`,
      href: address('errors', `#${error}`),
      text: meaning,
    })),
    ...bodySchema.elements.map(({ name, description }) => ({
      title: `<${name}>`,
      kind: 'body markup',
      href: address('markup', `#${name}`),
      text: description,
    })),
    ...operationEntries(objects),
  ]
}
