/** How requests work: tokens, lists, caching, conditions. The tables are generated from the declarations. */
import {
  fieldsOf,
  imageFormats,
  pageLimits,
  roleDescriptions,
  selectedFilters,
  selectedOrders,
  selectionOf,
} from '@publishing-service/domain'
import {
  cacheControl,
  endpoints,
  queryableOf,
  vary,
  type Caching,
  type Endpoint,
} from '@publishing-service/http-contract'
import { html, nothing, prose, sampleFigure, type Html } from '../html.js'
import { operationHref } from '../described-objects.js'
import { pageHref, type Heading, type PageContent, type PageRequest } from '../page-layout.js'
import { requestSamples } from '../request-samples.js'

type Part = Heading & {
  /** Synonyms for the search. */
  readonly words?: readonly string[]
  readonly body: Html
}

const collectionEntry = (endpoint: Endpoint, root: string): Html => {
  const rows = queryableOf(endpoint)
  if (rows === undefined) return nothing
  const orders = Object.keys(rows.orders)
  const filters = [
    ...Object.entries(rows.filters).map(([name, { description }]) => ({ name, description })),
    ...Object.entries(selectedFilters(rows)).map(([name, { value, of }]) => ({
      name,
      description: `${value.description} Needs \`${selectionOf(of)}\`.`,
    })),
  ]
  return html`<details class="collection">
    <summary><code>${endpoint.path}</code></summary>
    <p><a href="${pageHref(root, 'reference')}${operationHref(endpoint)}">${endpoint.summary}</a></p>
    <dl>
      <dt>Fields</dt>
      <dd>${[...fieldsOf(rows).keys()].map((name) => html`<code>${name}</code> `)}</dd>
      ${
        orders.length === 0
          ? nothing
          : html`<dt>Order</dt>
              <dd>
                ${orders.map((name) => html`<code>${name}</code> `)}
                ${Object.entries(selectedOrders(rows)).map(
                  ([name, { of }]) => html`<code>${name}</code> (with <code>${selectionOf(of)}</code>) `,
                )}
              </dd>`
      }
      ${filters.map(
        ({ name, description }) =>
          html`<dt><code>${name}</code></dt>
            <dd>${prose(description)}</dd>`,
      )}
    </dl>
  </details> `
}

const cached: Readonly<Record<Caching, string>> = {
  object: 'Objects and collections',
  settings: 'Settings',
  download: 'File data',
  documentation: 'Documentation',
  none: 'Tokens, health, errors, and responses to writes',
}

const parts = ({ base, root }: Pick<PageRequest, 'base' | 'root'>): readonly Part[] => {
  const samples = requestSamples(base)
  const error = (code: string): Html =>
    html`<a href="${pageHref(root, 'errors')}#${code}"><code>${code}</code></a>`
  return [
    {
      id: 'token',
      title: 'A token',
      words: ['authentication', 'authorization', 'login', 'sign in', 'api key', 'bearer', 'oauth'],
      body: html`<p>
          Every request to an instance needs a token. Exchange a key and its secret for one. It is valid for
          <code>expires_in</code> seconds. The response lists the instances that it gives access to, with the
          roles on each. After it has expired, requests return ${error('invalid_token')}: request a new token
          then.
        </p>
        ${sampleFigure(samples.token)}
        <p>The commands below use this token. The role on the instance decides what a key may do:</p>
        <dl class="pairs">
          ${Object.entries(roleDescriptions).map(
            ([role, description]) =>
              html`<dt><code>${role}</code></dt>
                <dd>${description}</dd>`,
          )}
        </dl>`,
    },
    {
      id: 'lists',
      title: 'Lists',
      words: ['fields', 'rows', 'columns', 'select'],
      body: html`<p>
          A collection returns <code>items</code>, a list of rows. Each row contains the values that
          <code>fields</code> names, in the same sequence. Without <code>fields</code>, a row contains only
          the address. Separate names by hyphens or commas. Absent values are null.
        </p>
        ${sampleFigure(samples.list)}
        <p>
          An unknown name, like any invalid parameter, returns ${error('bad_parameters')}.
          <code>error_info</code> lists every invalid parameter and what is accepted.
        </p>
        ${sampleFigure(samples.wrong)}`,
    },
    {
      id: 'pages',
      title: 'Pages',
      words: ['pagination', 'paging', 'page', 'rpp', 'limit', 'offset', 'cursor', 'next', 'prev'],
      body: html`<p>
          <code>page</code> counts from 1; <code>rpp</code> is the number of rows on a page, 1 to
          ${pageLimits.maxRpp}; the default is ${pageLimits.rpp}. <code>next</code> and <code>prev</code> are
          the addresses of the adjacent pages with the same parameters, and are missing if there is none. The
          header <code>Link</code> contains them too. Following <code>next</code> takes the same time for
          every page; a jump to a late page takes longer. The rows of a page have at most
          ${pageLimits.bytes / 1024 / 1024} MiB: if <code>error_info</code> names <code>rpp</code> and
          <code>fields</code>, request fewer of either. If the operator has configured bare links,
          <code>next</code> and <code>prev</code> contain only the query.
        </p>
        ${sampleFigure(samples.walk)}`,
    },
    {
      id: 'order',
      title: 'Order',
      words: ['order', 'sort', 'sorting', 'sort order'],
      body: html`<p>
        <code>order</code> sorts the rows by one of the orders of the collection, or by several, separated by
        hyphens or commas, at most ${pageLimits.orders}. Each can end in <code>.asc</code>, the default, or
        <code>.desc</code>. Titles are ordered without regard to case and accents. Ties, and rows without
        <code>order</code>, are ordered by creation, so that paging neither repeats nor omits a row while
        nothing changes.
      </p>`,
    },
    {
      id: 'collections',
      title: 'Collections',
      words: ['filter', 'filters', 'query parameters', 'where'],
      body: html`<p>
          The parameters of each collection, in addition to <code>page</code> and <code>rpp</code>. Unknown
          parameters are ignored unless <a href="#strict">handling is strict</a>.
        </p>
        ${endpoints.map((endpoint) => collectionEntry(endpoint, root))}`,
    },
    {
      id: 'caching',
      title: 'Caching',
      words: ['cache', 'etag', 'if-none-match', '304', 'cdn'],
      body: html`<p>
          <code>Cache-Control</code> states how long a response may be cached, and <code>Vary</code> which
          headers it depends on: <code>${vary}</code>.
        </p>
        <dl class="pairs">
          ${Object.entries(cacheControl).map(
            ([kind, value]) =>
              html`<dt>${cached[kind as Caching]}</dt>
                <dd><code>${value}</code></dd>`,
          )}
        </dl>
        <p>
          Nearly every successful response to GET has an <code>ETag</code>. Send it in
          <code>If-None-Match</code>: if nothing has changed, the response is 304 without a body.
        </p>
        ${sampleFigure(samples.unchanged)}
        <p>
          The service caches responses too, and evicts them as soon as data that they contain is written.
          <code>Cache-Control: no-cache</code> bypasses this cache. The response is slower; use it only if
          several processes serve the same data.
        </p>
        ${sampleFigure(samples.fresh)}`,
    },
    {
      id: 'conditions',
      title: 'Conditional writes',
      words: ['if-match', 'optimistic locking', 'concurrency', 'conflict', 'etag', '412'],
      body: html`<p>
          PUT creates or replaces. <code>If-None-Match: *</code> restricts it to creation: a second request
          returns ${error('precondition_failed')}.
        </p>
        ${sampleFigure(samples.create)}
        <p>
          With the <code>ETag</code> of an earlier response in <code>If-Match</code>, a change is made only if
          the object has not changed since. Here the first change succeeds, and the second fails, because it
          uses an outdated tag:
        </p>
        ${sampleFigure(samples.change)}
        <p>Without conditions, two simultaneous changes of different attributes are both applied.</p>`,
    },
    {
      id: 'strict',
      title: 'Strict handling',
      words: ['prefer', 'handling', 'misspelt', 'typo', 'unknown attribute'],
      body: html`<p>
          Unknown attributes and unknown parameters are ignored. With
          <code>Prefer: handling=strict</code> they are faults, which finds misspelled names during
          development.
        </p>
        ${sampleFigure(samples.strict)}
        <p>This command deletes what the commands of this page have created:</p>
        ${sampleFigure(samples.remove)}`,
    },
    {
      id: 'images',
      title: 'Images in other sizes',
      words: ['thumbnail', 'resize', 'scale', 'width', 'height', 'webp', 'jpeg', 'png', 'gif', 'responsive'],
      body: html`<p>
        <code>download_url</code> with <code>w</code>, <code>h</code> or both returns the image scaled down
        into that box, in its proportions and format: ${imageFormats.join(', ')}. Images are never enlarged.
      </p>`,
    },
    {
      id: 'browsers',
      title: 'Calls from pages of other websites',
      words: ['cors', 'cross-origin', 'origin', 'preflight', 'browser', 'access-control-allow-origin'],
      body: html`<p>
        A script on a page of another website can call the service if the operator has listed that website’s
        origin in <code>CORS_ORIGINS</code>. Otherwise browsers block the response. Programs outside of
        browsers are not affected.
      </p>`,
    },
    {
      id: 'rates',
      title: 'Rate limits',
      words: ['rate limit', 'rate limiting', 'throttling', 'quota', '429', 'ratelimit', 'retry-after'],
      body: html`<p>
        If the operator limits rates, an API user with all of its keys, or an address without a valid token,
        can send a number of requests per minute. <code>RateLimit-Policy</code> contains that number.
        <code>RateLimit</code> contains how many are left and when more are available. A request above the
        limit returns ${error('too_many_requests')} with <code>Retry-After</code>.
      </p>`,
    },
    {
      id: 'rest',
      title: 'General rules',
      body: html`<ul>
<li>Success is always 200, also for creations and deletions. HEAD is available for every GET. OPTIONS returns the methods of an address.</li>
<li>A write is applied as a whole or not at all, and is durable when the response is sent. PUT of what GET returned changes nothing.</li>
<li>JSON responses are ASCII: other characters are written as <code>\\u</code> escapes.</li>
<li><code>X-Request-Id</code> identifies a request in the response and in the log of the service; you can send your own.</li>
<li>Responses of deprecated operations have the header <code>Deprecation</code>.</li>
<li>The OpenAPI document is <a href="${root}openapi.json">openapi.json</a>.</li>
</ul>`,
    },
  ]
}

/** The parts of the page, for the search. */
export const requestHeadings = (): readonly (Heading & { readonly words: readonly string[] })[] =>
  parts({ base: '', root: '' }).map(({ id, title, words = [] }) => ({ id, title, words }))

export const requestsPage = (request: PageRequest): PageContent => {
  const all = parts(request)
  return {
    page: 'requests',
    lead: html`<p>
      Insert your key into the first command; the others then work unchanged: in a shell, in a Node module, or
      in the console of the browser on this page. Commands that write need a key with the role
      <code>editor</code> on instance 1. The last command deletes what they create.
    </p>`,
    headings: all,
    body: html`${all.map(
      ({ id, title, body }) =>
        html`<section id="${id}">
          <h2><a class="anchor" href="#${id}">${title}</a></h2>
          ${body}
        </section> `,
    )}`,
  }
}
