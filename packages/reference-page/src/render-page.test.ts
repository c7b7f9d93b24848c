import { bodySchema, resources, segmentsOf } from '@publishing-service/domain'
import {
  defaultFacts,
  documentationPages,
  endpoints,
  namedResource,
  problemTable,
  queryableOf,
  type PageName,
} from '@publishing-service/http-contract'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { assets } from './assets.js'
import { rankEntries } from './browser/rank-entries.js'
import { attributeId, describedObjects, schemaOf, operationHref } from './described-objects.js'
import { synonyms, searchEntries } from './search-entries.js'
import { renderPage } from './render-page.js'

const base = 'https://api.example.org'
const request = {
  base,
  root: './',
  assetPath: (asset: string) => `docs/assets/x/${asset}`,
  facts: defaultFacts,
}
const names = Object.keys(documentationPages) as readonly PageName[]
const rendered = new Map(
  names.map((name) => [documentationPages[name].path.slice(1), renderPage(name, request)]),
)

const matches = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, match]) => match ?? '')

const idsOf = (page: string): readonly string[] => matches(page, / id="([^"]*)"/g)
const linksOf = (page: string): readonly string[] => matches(page, / href="([^"]*)"/g)

const operationPlaces = new Set(
  endpoints.flatMap((endpoint) => {
    const place = operationHref(endpoint)
    return [place, place.slice(0, place.lastIndexOf('/'))]
  }),
)

/** Whether an address below the root is that of a page or of an element of a page. */
const isThere = (address: string): boolean => {
  const [path = '', fragment] = address.split('#')
  const page = rendered.get(path)
  if (page === undefined)
    return ['openapi.json', 'dashboard'].includes(path) || assets.has(path.replace('docs/assets/x/', ''))
  if (fragment === undefined) return true
  return fragment.startsWith('/') ? operationPlaces.has(`#${fragment}`) : idsOf(page).includes(fragment)
}

describe('the documentation pages', () => {
  it('list the streaming hosts of the deployment', () => {
    const streamingHosts = [{ name: 'ourtube', aliases: ['tube'], hosts: ['video.example'] }]
    const facts = { ...defaultFacts, streamingHosts }
    expect(renderPage('objects', request)).to.include('youtube')
    expect(renderPage('objects', { ...request, facts }))
      .to.include('ourtube')
      .and.not.include('youtube')
  })

  for (const [path, page] of rendered)
    describe(`/${path}`, () => {
      it('contains no inline script or style, and loads nothing from other hosts', () => {
        expect(page).not.to.match(/<style|<script(?! (?:defer|type="module") src="\.\/docs\/assets\/)/)
        expect(page).not.to.match(/<[^>]* (?:style|on\w+)=/)
        for (const source of matches(page, / src="([^"]*)"/g))
          expect(source).to.match(/^\.\/docs\/assets\/x\//)
      })

      it('contains only links to existing pages and elements', () => {
        for (const link of linksOf(page)) {
          const address = link.startsWith('#') ? `${path}${link}` : link.replace(/^\.\//, '')
          expect(isThere(address), link).to.equal(true)
        }
      })

      it('contains each id once', () => {
        const ids = idsOf(page)
        expect(ids.filter((id, index) => ids.indexOf(id) !== index)).to.deep.equal([])
      })

      it('links to all other pages, and marks the current one', () => {
        for (const name of names)
          expect(linksOf(page)).to.include(`./${documentationPages[name].path.slice(1)}`)
        expect(matches(page, /href="([^"]*)"\s+aria-current="page"/g)).to.deep.equal([`./${path}`])
      })
    })

  it('explain every error code, with a remedy and an example response', () => {
    const page = rendered.get('docs/errors') ?? ''
    const ids = idsOf(page)
    for (const { error, status } of Object.values(problemTable)) {
      expect(ids).to.include(error)
      expect(page).to.include(`HTTP/1.1 ${status}`)
      expect(page).to.include(`&quot;error&quot;: &quot;${error}&quot;`)
      expect(page).to.include(`${base}/docs/errors#${error}`)
    }
    expect(matches(page, /(What to do\.)/g)).to.have.length(Object.keys(problemTable).length)
  })

  it('have every attribute that clients see, and no internal one', () => {
    const ids = idsOf(rendered.get('docs/objects') ?? '')
    for (const resource of resources)
      for (const [name, attribute] of Object.entries(resource.attributes))
        expect(
          ids.includes(attributeId(namedResource(resource).name, name)),
          `${resource.name}.${name}`,
        ).to.equal(
          attribute.kind !== 'computed' && !(attribute.kind === 'stored' && attribute.internal === true),
        )
  })

  it('have every collection with its fields', () => {
    const page = rendered.get('docs/requests') ?? ''
    for (const resource of resources)
      expect(page).to.include(`/{iid}/${segmentsOf(resource)}</code></summary>`)
  })

  it('have every element of the body and every operation', () => {
    const ids = idsOf(rendered.get('docs/markup') ?? '')
    for (const { name } of bodySchema.elements) expect(ids).to.include(name)
    const links = linksOf(rendered.get('docs') ?? '')
    for (const endpoint of endpoints) expect(links).to.include(operationHref(endpoint))
  })
})

describe('the search', () => {
  it('contains only links to existing pages and elements', () => {
    for (const { href } of searchEntries()) expect(isThere(href), href).to.equal(true)
  })

  it('finds every attribute by its name, and the operations that accept or return it', () => {
    const found = searchEntries().filter(({ title, text }) => `${title} ${text}`.includes('coupon_expires'))
    expect(found.map(({ href }) => href)).to.include.members([
      'docs/objects#Location.coupon_expires',
      'docs#/locations/replaceLocation',
      'docs#/locations/listLocations',
    ])
    expect(found.map(({ href }) => href)).not.to.include('docs#/locations/removeLocation')
  })

  const firstFor = (query: string): readonly string[] =>
    rankEntries(searchEntries(), query, 12).map(({ href }) => href)

  for (const [query, href] of [
    ['draft', 'docs/objects#Content.state'],
    ['gallery', 'docs/objects#Slot'],
    ['carousel', 'docs/objects#Slot.display'],
    ['review_movie', 'docs/objects#Content.content_type'],
    ['ctypes', 'docs#/content/listContent'],
    ['rpp', 'docs/requests#pages'],
    ['pagination', 'docs/requests#pages'],
    ['slug', 'docs/objects#Content.urlname'],
    ['cors', 'docs/requests#browsers'],
    ['rate limit', 'docs/requests#rates'],
    ['webp', 'docs/requests#images'],
    ['429', 'docs/errors#too_many_requests'],
  ] as const)
    it(`finds “${query}”`, () => {
      expect(firstFor(query)).to.include(href)
    })

  it('finds every value of an attribute and every parameter of a query', () => {
    for (const { name, attributes } of describedObjects(endpoints))
      for (const [attribute, declaration] of attributes) {
        const schema = schemaOf(declaration)
        for (const value of schema.enum ?? schema.items?.enum ?? [])
          expect(
            rankEntries(searchEntries(), value, 1000).map(({ href }) => href),
            `${name}.${attribute} ${value}`,
          ).to.include(`docs/objects#${attributeId(name, attribute)}`)
      }
    for (const endpoint of endpoints)
      for (const parameter of [
        ...endpoint.parameters.map(({ name }) => name),
        ...Object.keys(queryableOf(endpoint)?.filters ?? {}),
      ])
        expect(
          rankEntries(searchEntries(), parameter, 100).map(({ href }) => href),
          `${endpoint.id} ${parameter}`,
        ).to.include(`docs${operationHref(endpoint)}`)
  })

  it('has synonyms only for existing titles', () => {
    const titles = new Set(searchEntries().map(({ title }) => title))
    for (const title of Object.keys(synonyms)) expect(titles).to.include(title)
  })
})
