/** What each error code means and what to do: where `error_uri` leads (decisions §3). */
import { E, content, nowIn, parseCollectionQuery, type Fault, type Problem } from '@publishing-service/domain'
import {
  asciiJson,
  documentationPages,
  errorAnswer,
  errorBody,
  parseObject,
  problemTable,
} from '@publishing-service/http-contract'
import { html, nothing, prose, type Html } from '../html.js'
import { pageHref, type PageContent, type PageRequest } from '../page-layout.js'
import { codeBlock } from '../sample.js'

/** The faults of a real query. */
const someFaults = (): readonly Fault[] => {
  const settings = { timezone: 'Europe/Vienna', directory_addon: false }
  const viewer = { role: 'reader', now: nowIn(settings.timezone, 0), settings } as const
  const query = parseCollectionQuery(content, { fields: 'title-issud', rpp: '1000' }, viewer, false)
  return E.isLeft(query) ? query.left : []
}

const exampleProblems: { readonly [T in Problem['_tag']]: () => Extract<Problem, { readonly _tag: T }> } = {
  BadParameters: () => ({ _tag: 'BadParameters', faults: someFaults() }),
  BadRequest: () => {
    const read = parseObject('{"title": "Coffee"')
    return E.isLeft(read) && read.left._tag === 'BadRequest' ? read.left : { _tag: 'BadRequest', reason: '' }
  },
  InvalidTokenRequest: () => ({ _tag: 'InvalidTokenRequest', reason: 'the form lacks api_secret' }),
  UnsupportedGrantType: () => ({ _tag: 'UnsupportedGrantType' }),
  InvalidClient: () => ({ _tag: 'InvalidClient' }),
  Unauthorized: () => ({ _tag: 'Unauthorized' }),
  InvalidToken: () => ({ _tag: 'InvalidToken' }),
  Forbidden: () => ({ _tag: 'Forbidden' }),
  NotFound: () => ({ _tag: 'NotFound' }),
  MethodNotAllowed: () => ({ _tag: 'MethodNotAllowed', allowed: ['GET', 'HEAD', 'POST', 'OPTIONS'] }),
  NotAcceptable: () => ({ _tag: 'NotAcceptable' }),
  InUse: () => ({ _tag: 'InUse', by: 'content' }),
  Gone: () => ({ _tag: 'Gone', instead: 'the media slots of content, /{iid}/content/{uuid}/slots' }),
  PreconditionFailed: () => ({ _tag: 'PreconditionFailed' }),
  TooLarge: () => ({ _tag: 'TooLarge', limit: 5_242_880 }),
  UnsupportedMediaType: () => ({
    _tag: 'UnsupportedMediaType',
    expected: 'JSON, declared as application/json',
  }),
  RangeNotSatisfiable: () => ({ _tag: 'RangeNotSatisfiable', size: 69_920 }),
  TooManyRequests: () => ({ _tag: 'TooManyRequests', retryAfter: 60 }),
  Unavailable: () => ({ _tag: 'Unavailable', retryAfter: 5 }),
  InternalError: () => ({ _tag: 'InternalError' }),
}

const exampleAnswer = (tag: Problem['_tag'], base: string): string => {
  const answer = errorAnswer(exampleProblems[tag]())
  const headers = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`)
  const body = JSON.stringify(JSON.parse(asciiJson(errorBody(answer, base))), null, 2)
  return [`HTTP/1.1 ${answer.status}`, ...headers, '', body].join('\n')
}

const section = ([tag, row]: [string, (typeof problemTable)[Problem['_tag']]], base: string): Html =>
  html`<section id="${row.error}">
    <h2>
      <a class="anchor" href="#${row.error}"><code>${row.error}</code></a>
      <span class="status">${row.status}</span>
    </h2>
    <p>${prose(row.meaning)}</p>
    <p class="remedy"><strong>What to do.</strong> ${prose(row.remedy)}</p>
    <details>
      <summary>An answer</summary>
      ${codeBlock(exampleAnswer(tag as Problem['_tag'], base))}
    </details>
  </section> `

export const errorsPage = ({ base, root }: PageRequest): PageContent => {
  const rows = Object.entries(problemTable)
  return {
    page: 'errors',
    lead: html`<p>
        An answer with a status of 400 or above holds a JSON object: <code>error</code>, a code for programs;
        <code>error_description</code>, a sentence for developers; <code>error_uri</code>, which leads to the
        code on this page; and for <code>bad_parameters</code> also <code>error_info</code>, with an entry for
        everything that is wrong. Programs go by <code>error</code> and the status; the sentences may change.
      </p>
      <p>
        Every answer carries <code>X-Request-Id</code>, which is also in the service’s log. More on requests:
        <a href="${pageHref(root, 'requests')}">${documentationPages.requests.summary}</a>.
      </p>`,
    headings: rows.map(([, { error, status }]) => ({ id: error, title: `${error} · ${status}` })),
    body: rows.length === 0 ? nothing : html`${rows.map((row) => section(row, base))}`,
  }
}
