/** Validates feeds and sitemaps by schemas of their formats, and reads them. */
import { Ajv } from 'ajv'
import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import addFormats from 'ajv-formats'
import { RelaxNGValidator, XmlDocument, XsdValidator } from 'libxml2-wasm'
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs'
import type { JsonObject } from '@publishing-service/domain/json'
import { expectOk } from './expect-response.js'
import type { ApiResponse } from './http-client.js'

const schemaUrl = (name: string): URL => new URL(`../../src/schemas/${name}`, import.meta.url)
const schemaFile = (name: string): Buffer => readFileSync(schemaUrl(name))

// The schema of sitemaps imports others.
xmlRegisterFsInputProviders()

const validators = {
  atom: RelaxNGValidator.fromDoc(XmlDocument.fromBuffer(schemaFile('atom.rng'))),
  sitemap: XsdValidator.fromDoc(
    XmlDocument.fromBuffer(schemaFile('sitemap.xsd'), { url: fileURLToPath(schemaUrl('sitemap.xsd')) }),
  ),
} as const

const ajv = new Ajv({ strict: true })
addFormats.default(ajv)
const isJsonFeed = ajv.compile(JSON.parse(schemaFile('json-feed.json').toString()) as JsonObject)

const namespaces = {
  a: 'http://www.w3.org/2005/Atom',
  s: 'http://www.sitemaps.org/schemas/sitemap/0.9',
  image: 'http://www.google.com/schemas/sitemap-image/1.1',
  news: 'http://www.google.com/schemas/sitemap-news/0.9',
} as const

/** A valid XML response: the texts of all nodes that an XPath selects; `a:` is Atom, `s:` a sitemap, with `image:` and `news:` of search engines. */
export type XmlReader = (path: string) => readonly string[]

const readXml = (
  response: ApiResponse,
  mediaType: string,
  validator: (typeof validators)[keyof typeof validators],
): XmlReader => {
  expect(expectOk(response).headers['content-type']).to.equal(`${mediaType}; charset=utf-8`)
  const document = XmlDocument.fromBuffer(response.bytes)
  validator.validate(document)
  return (path) => document.find(`/${path}`, namespaces).map(({ content }) => content)
}

export const readAtom = (response: ApiResponse): XmlReader =>
  readXml(response, 'application/atom+xml', validators.atom)

export const readSitemap = (response: ApiResponse): XmlReader =>
  readXml(response, 'application/xml', validators.sitemap)

/** A valid JSON Feed. */
export const readJsonFeed = (response: ApiResponse): JsonObject => {
  expect(expectOk(response).headers['content-type']).to.equal('application/feed+json; charset=utf-8')
  const feed = response.object
  expect(isJsonFeed(feed), JSON.stringify(isJsonFeed.errors)).to.equal(true)
  return feed
}
