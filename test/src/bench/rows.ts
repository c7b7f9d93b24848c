/** The rows of the bench, in the order in which they run: what grows the store comes last. */
import { article, contentId } from './article.js'
import type { Requests } from './exchange.js'
import type { Expected } from './measure.js'
import { fileBytes, type Instance, type Publication } from './publication.js'
import { validateArticle, validateBytes, validatePage, validateWrite, rowsPerPage } from './validate.js'

type RequestsOf<P extends Instance> = (publication: P) => Requests

/** A row by its name for `--only`, with its requests and what has to come back. */
export type Row<P extends Instance> = Expected & {
  readonly name: string
  readonly title: string
  readonly requests: RequestsOf<P>
}

/** A row with the least ratio to the baseline that is to be reached. */
export type ServiceRow = Row<Publication> & { readonly target: number }

type Parts = readonly [name: string, title: string, target: number, Expected, RequestsOf<Publication>]
const row = (...[name, title, target, expected, requests]: Parts): ServiceRow => ({
  ...expected,
  name,
  title,
  target,
  requests,
})

/** A path without a slash at its start is below the instance. */
export const get =
  (role: keyof Instance['tokens'], path: string, headers: Requests['headers'] = {}): RequestsOf<Instance> =>
  ({ instance, tokens }) => ({
    method: 'GET',
    path: path.startsWith('/') ? path : `/${instance}/${path}`,
    headers: { Authorization: `Bearer ${tokens[role]}`, ...headers },
    body: null,
    turns: [],
  })

/** Past the response cache. */
export const getFresh = (role: keyof Instance['tokens'], path: string): RequestsOf<Instance> =>
  get(role, path, { 'Cache-Control': 'no-cache' })

const send =
  (method: 'POST' | 'PATCH', path: string, type: string, body: () => string) =>
  (publication: Publication): Requests => ({
    ...get('editor', path, { 'Content-Type': type })(publication),
    method,
    body: body(),
  })

/** Requests in which `{turn}` goes through some texts. */
const each =
  (turns: (publication: Publication) => readonly string[], requests: RequestsOf<Publication>) =>
  (publication: Publication): Requests => ({ ...requests(publication), turns: turns(publication) })

const numbersTo = (last: number): readonly number[] => Array.from({ length: last }, (_, index) => index + 1)
/** All of their responses fit in the cache. */
const ids = ({ articles }: Publication) => numbersTo(Math.min(articles, 3000)).map(contentId)
const pages = ({ articles }: Publication) => numbersTo(Math.floor(articles / rowsPerPage)).map(String)

const one = `content/${contentId(1)}`
const any = 'content/{turn}'
const page = `content?fields=title-url-issued&order=issued.desc&rpp=${rowsPerPage}&page=`
const edition = (): string => '{"title":"The market hall, edition {serial}"}'
const newArticle = (): string => JSON.stringify(article('{serial}', 1))
const json = 'application/json'

/** Articles differ in the fractions of their dates and in the paths of their sections. */
const anArticle: Expected = { spread: 60, validate: validateArticle }
const theArticle: Expected = { spread: null, validate: validateArticle }
const aPage: Expected = { spread: 400, validate: validatePage }
const thePage: Expected = { spread: null, validate: validatePage }
const isFile = (body: Buffer): boolean => body.equals(fileBytes(body.length))
const theFile: Expected = { spread: null, validate: validateBytes(isFile) }
const isJpeg = (body: Buffer): boolean => body.readUInt16BE(0) === 0xffd8
const theImage: Expected = { spread: null, validate: validateBytes(isJpeg) }
// Another request may have changed the same object in the meantime.
const patched: Expected = { spread: 0, validate: validateWrite(() => /^The market hall, edition \d{12}$/) }
const created: Expected = { spread: 0, validate: validateWrite((serial) => new RegExp(`part ${serial}$`)) }

export const serviceRows: readonly ServiceRow[] = [
  row('read', 'GET of one object, cached', 0.45, theArticle, get('reader', one)),
  row('read-spread', 'GET over 3000 objects, cached', 0.45, anArticle, each(ids, get('reader', any))),
  row('read-public', 'GET of one object as public_user, cached', 0.45, theArticle, get('visitor', one)),
  row('read-fresh', 'GET over 3000 objects, uncached', 0.12, anArticle, each(ids, getFresh('reader', any))),
  row('page-fresh', 'page of 100, uncached', 0.07, thePage, getFresh('reader', `${page}1`)),
  row(
    'page-walk',
    'different pages, uncached',
    0.03,
    aPage,
    each(pages, getFresh('reader', `${page}{turn}`)),
  ),
  row('download', 'download of 100 KB', 0.65, theFile, (all) => get('reader', all.download)(all)),
  row('download-scaled', 'stored derivative', 0.45, theImage, (all) => get('reader', all.derivative)(all)),
  row(
    'patch',
    'PATCH over 3000 objects, durable',
    0.06,
    patched,
    each(ids, send('PATCH', any, json, edition)),
  ),
  row('create', 'create of 2 KB, durable', 0.05, created, send('POST', 'content', json, newArticle)),
]

/** The row that the straight line responds to, too. */
export const straightRow = 'read-fresh'

/** The rows that read or write documents, on PostgreSQL; their target is a ratio to the same on SQLite. */
export const serverRows: readonly ServiceRow[] = serviceRows
  .filter(({ name }) => ['read-fresh', 'page-fresh', 'page-walk', 'patch', 'create'].includes(name))
  .map((stored) => ({ ...stored, name: `servers-${stored.name}`, target: 0.5 }))

/** Rows of two workers on two cores, on SQLite; their target is a ratio to the service alone: writes wait for one file. */
export const workerRows: readonly ServiceRow[] = serviceRows
  .filter(({ name }) => ['read', 'read-fresh', 'page-fresh', 'patch', 'create'].includes(name))
  .map((stored) => ({
    ...stored,
    name: `workers-${stored.name}`,
    target: ['patch', 'create'].includes(stored.name) ? 1 : 1.7,
  }))
