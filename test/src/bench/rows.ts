/** The measured rows: one for each kind of request, with the expected response. */
import { article, contentId } from './article.js'
import {
  countContent,
  validateArticle,
  validateBytes,
  validatePage,
  validateWrite,
  rowsPerPage,
  type Validate,
  type Read,
} from './validate-response.js'
import type { Publication } from './publication.js'
import type { Traffic } from './traffic.js'

export type Row = {
  /** For --rows and in the results. */
  readonly name: string
  readonly title: string
  /** The ratio to bare node:http that is to be reached; null if none is set. */
  readonly target: number | null
  readonly traffic: Traffic
  /** How far from the first response's the size of others may be, in bytes; null if all responses are the same. */
  readonly spread: number | null
  readonly validate: Validate
  /** A number that grows by one with each response; what was acknowledged must be there. */
  readonly count?: (read: Read) => Promise<number>
}

const isJpeg = (body: Buffer): boolean =>
  body.readUInt16BE(0) === 0xffd8 && body.readUInt16BE(body.length - 2) === 0xffd9

const numbersTo = (last: number): readonly string[] =>
  Array.from({ length: last }, (_, index) => String(index + 1))

const pageQuery = (page: string): string =>
  `fields=title-url-issued&order=issued.desc&page=${page}&rpp=${rowsPerPage}`

/** Articles differ in the fractions of their dates and in the paths of their sections. */
const articleSpread = 60

/** How many different objects a row goes through, where it goes through some: all of their responses fit in memory. */
const variety = 3000

/** The rows in the order in which they run: what only reads first, what grows the store last. */
export const createRows = (publication: Publication): readonly Row[] => {
  const { instance, tokens, objects, downloads } = publication
  const one = `/${instance}/content/${contentId(1)}`
  const any = `/${instance}/content/{turn}`
  const ids = numbersTo(Math.min(objects, variety)).map((number) => contentId(Number(number)))
  const reader = { Authorization: `Bearer ${tokens.reader}` }
  const visitor = { Authorization: `Bearer ${tokens.visitor}` }
  const fresh = { ...reader, 'Cache-Control': 'no-cache' }
  const editor = { Authorization: `Bearer ${tokens.editor}`, 'Content-Type': 'application/json' }
  const page = `/${instance}/content?${pageQuery('1')}`
  const get = (path: string, headers: Traffic['headers'], turns: readonly string[] = []): Traffic => ({
    method: 'GET',
    path,
    headers,
    body: null,
    turns,
  })
  const patch = (path: string, turns: readonly string[] = []): Traffic => ({
    method: 'PATCH',
    path,
    headers: editor,
    body: JSON.stringify({ title: 'The market hall, edition {serial}' }),
    turns,
  })
  // Another request may have changed the same object in the meantime.
  const anyEdition = validateWrite(() => /^The market hall, edition \d{12}$/)
  return [
    {
      name: 'read',
      title: 'GET of one object, cached',
      target: 0.35,
      traffic: get(one, reader),
      spread: null,
      validate: validateArticle,
    },
    {
      name: 'read-spread',
      title: `GET over ${ids.length} objects, cached`,
      target: 0.35,
      traffic: get(any, reader, ids),
      spread: articleSpread,
      validate: validateArticle,
    },
    {
      name: 'read-public',
      title: 'GET of one object as public_user, cached',
      target: 0.35,
      traffic: get(one, visitor),
      spread: null,
      validate: validateArticle,
    },
    {
      name: 'read-fresh',
      title: `GET over ${ids.length} objects, uncached`,
      target: 0.15,
      traffic: get(any, fresh, ids),
      spread: articleSpread,
      validate: validateArticle,
    },
    {
      name: 'page-fresh',
      title: 'page of 100, uncached',
      target: 0.08,
      traffic: get(page, fresh),
      spread: null,
      validate: validatePage,
    },
    {
      name: 'page-walk',
      title: 'different pages of 100, uncached',
      target: 0.05,
      traffic: get(
        `/${instance}/content?${pageQuery('{turn}')}`,
        fresh,
        numbersTo(Math.floor(objects / rowsPerPage)),
      ),
      spread: 400,
      validate: validatePage,
    },
    {
      name: 'download',
      title: 'download of 100 KB',
      target: 0.6,
      traffic: get(downloads.file, reader),
      spread: null,
      validate: validateBytes('application/octet-stream', (body) => body.equals(downloads.fileBytes)),
    },
    {
      name: 'download-scaled',
      title: 'download of a stored derivative',
      target: 0.35,
      traffic: get(downloads.derivative, reader),
      spread: null,
      validate: validateBytes('image/jpeg', isJpeg),
    },
    {
      name: 'patch',
      title: `PATCH over ${ids.length} objects, durable`,
      target: 0.09,
      traffic: patch(any, ids),
      spread: 0,
      validate: anyEdition,
    },
    {
      name: 'create',
      title: 'create an object of 2 KB, durable',
      target: 0.08,
      traffic: {
        method: 'POST',
        path: `/${instance}/content`,
        headers: editor,
        body: JSON.stringify(article('{serial}', 1)),
        turns: [],
      },
      spread: 0,
      validate: validateWrite((serial) => new RegExp(`part ${serial}$`)),
      count: (read) => countContent(read, instance),
    },
  ]
}

/** The names of all rows, known before there is anything to measure. */
export const rowNames: readonly string[] = createRows({
  instance: 1,
  objects: 1,
  tokens: { reader: '', visitor: '', editor: '' },
  downloads: { derivative: '', file: '', fileBytes: Buffer.alloc(0) },
}).map(({ name }) => name)
