/** What is measured: one row for each kind of request, with what a right answer to it is. */
import { article, contentId } from './article.js'
import {
  countContent,
  judgeArticle,
  judgeBytes,
  judgePage,
  judgeUnchanged,
  judgeWrite,
  rowsPerPage,
  type Judge,
  type Read,
} from './judge-answer.js'
import type { Publication } from './publication.js'
import type { Traffic } from './traffic.js'

export type Row = {
  /** For --rows and in the results. */
  readonly name: string
  readonly title: string
  /** The ratio to bare node:http that is to be reached; null where none is set. */
  readonly target: number | null
  readonly traffic: Traffic
  /** How far from the first answer's the size of others may be, in bytes; null where all answers are the same. */
  readonly spread: number | null
  readonly judge: Judge
  /** A number that grows by one with each answered request; what was acknowledged must be there. */
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

/** How many different objects a row goes through, where it goes through some: all of their answers fit in memory. */
const variety = 3000

/** The path of the one object that rows read; its entity tag is asked for before the rows are made. */
export const onePath = ({ instance }: Publication): string => `/${instance}/content/${contentId(1)}`

/** The rows in the order in which they run: what only reads first, what grows the store last. */
export const createRows = (publication: Publication, tag: string): readonly Row[] => {
  const { instance, tokens, objects, downloads } = publication
  const one = onePath(publication)
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
  const anyEdition = judgeWrite(() => /^The market hall, edition \d{12}$/)
  return [
    {
      name: 'read',
      title: 'GET one object, always the same',
      target: 0.35,
      traffic: get(one, reader),
      spread: null,
      judge: judgeArticle,
    },
    {
      name: 'read-spread',
      title: `GET one object, in turn of ${ids.length}`,
      target: 0.35,
      traffic: get(any, reader, ids),
      spread: articleSpread,
      judge: judgeArticle,
    },
    {
      name: 'read-public',
      title: 'GET one object as public_user, the same',
      target: 0.35,
      traffic: get(one, visitor),
      spread: null,
      judge: judgeArticle,
    },
    {
      name: 'read-fresh',
      title: `GET one object, no-cache, in turn of ${ids.length}`,
      target: null,
      traffic: get(any, fresh, ids),
      spread: articleSpread,
      judge: judgeArticle,
    },
    {
      name: 'read-304',
      title: 'GET one object, 304',
      target: null,
      traffic: get(one, { ...reader, 'If-None-Match': tag }),
      spread: null,
      judge: judgeUnchanged,
    },
    {
      name: 'page',
      title: 'page of 100',
      target: 0.08,
      traffic: get(page, reader),
      spread: null,
      judge: judgePage,
    },
    {
      name: 'page-fresh',
      title: 'page of 100, no-cache',
      target: null,
      traffic: get(page, fresh),
      spread: null,
      judge: judgePage,
    },
    {
      name: 'page-walk',
      title: 'different pages of 100, no-cache',
      target: null,
      traffic: get(
        `/${instance}/content?${pageQuery('{turn}')}`,
        fresh,
        numbersTo(Math.floor(objects / rowsPerPage)),
      ),
      spread: 400,
      judge: judgePage,
    },
    {
      name: 'download',
      title: 'download of 100 KB',
      target: null,
      traffic: get(downloads.file, reader),
      spread: null,
      judge: judgeBytes('application/octet-stream', (body) => body.equals(downloads.fileBytes)),
    },
    {
      name: 'download-scaled',
      title: 'download of a stored derivative',
      target: 0.3,
      traffic: get(downloads.derivative, reader),
      spread: null,
      judge: judgeBytes('image/jpeg', isJpeg),
    },
    {
      name: 'patch',
      title: `PATCH (durable), in turn of ${ids.length} objects`,
      target: 0.08,
      traffic: patch(any, ids),
      spread: 0,
      judge: anyEdition,
    },
    {
      name: 'patch-one',
      title: 'PATCH (durable) of one object by all',
      target: null,
      traffic: patch(one),
      spread: 0,
      judge: anyEdition,
    },
    {
      name: 'create',
      title: 'create (durable, 2 KB)',
      target: 0.08,
      traffic: {
        method: 'POST',
        path: `/${instance}/content`,
        headers: editor,
        body: JSON.stringify(article('{serial}', 1)),
        turns: [],
      },
      spread: 0,
      judge: judgeWrite((serial) => new RegExp(`part ${serial}$`)),
      count: (read) => countContent(read, instance),
    },
  ]
}

/** The names of all rows, known before there is anything to measure. */
export const rowNames: readonly string[] = createRows(
  {
    instance: 1,
    objects: 1,
    tokens: { reader: '', visitor: '', editor: '' },
    downloads: { derivative: '', file: '', fileBytes: Buffer.alloc(0) },
  },
  '',
).map(({ name }) => name)
