/** How requests work: tokens, lists, caching, conditions; the tables come from the declarations. */
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
  /** Other words for it that people search for. */
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
  none: 'Tokens, health, errors, and answers to writes',
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
          Every request to an instance carries a token. A key and its secret are exchanged for one, which
          holds for <code>expires_in</code> seconds; the answer lists the instances that it is good for, with
          the roles on each. When it has expired, requests are answered with ${error('invalid_token')}: get a
          new one then.
        </p>
        ${sampleFigure(samples.token)}
        <p>The commands below use this token. What a key may do depends on its role on the instance:</p>
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
          A collection answers <code>items</code>, a list of rows. Each row holds the values that
          <code>fields</code> names, in its order; without it, the address alone. Names are joined by hyphens
          or commas. Absent values are null.
        </p>
        ${sampleFigure(samples.list)}
        <p>
          A name that isn’t there, like any parameter that isn’t right, is answered with
          ${error('bad_parameters')}; <code>error_info</code> names every one of them, with what would be
          right.
        </p>
        ${sampleFigure(samples.wrong)}`,
    },
    {
      id: 'pages',
      title: 'Pages',
      words: ['pagination', 'paging', 'page', 'rpp', 'limit', 'offset', 'cursor', 'next', 'prev'],
      body: html`<p>
          <code>page</code> counts from 1; <code>rpp</code> is the number of rows on a page, 1 to
          ${pageLimits.maxRpp}, ${pageLimits.rpp} unless sent. <code>next</code> and <code>prev</code> lead to
          the pages beside this one with the same parameters, and are missing where there is none; the header
          <code>Link</code> says the same. Following <code>next</code> costs the same for every page, a jump
          to a late one doesn’t. The rows of a page hold at most ${pageLimits.bytes / 1024 / 1024} MiB: where
          <code>error_info</code> names <code>rpp</code> and <code>fields</code>, ask for fewer of either.
          Where a deployment has bare links, <code>next</code> and <code>prev</code> hold only the query.
        </p>
        ${sampleFigure(samples.walk)}`,
    },
    {
      id: 'order',
      title: 'Order',
      words: ['order', 'sort', 'sorting', 'sort order'],
      body: html`<p>
        <code>order</code> names what the rows are ordered by: one of the collection’s options, or several
        joined by hyphens or commas, at most ${pageLimits.orders}, each with <code>.asc</code>, which is meant
        where nothing is said, or <code>.desc</code>. Titles are ordered without regard to case and accents.
        Ties, and everything without <code>order</code>, go by creation, so that paging never repeats or
        leaves out a row while nothing changes.
      </p>`,
    },
    {
      id: 'collections',
      title: 'Collections',
      words: ['filter', 'filters', 'query parameters', 'where'],
      body: html`<p>
          What each takes beside <code>page</code> and <code>rpp</code>. Unknown parameters are ignored unless
          <a href="#strict">handling is strict</a>.
        </p>
        ${endpoints.map((endpoint) => collectionEntry(endpoint, root))}`,
    },
    {
      id: 'caching',
      title: 'Caching',
      words: ['cache', 'etag', 'if-none-match', '304', 'cdn'],
      body: html`<p>
          Answers say in <code>Cache-Control</code> how long they may be kept, and in <code>Vary</code> what
          they depend on beside their address: <code>${vary}</code>.
        </p>
        <dl class="pairs">
          ${Object.entries(cacheControl).map(
            ([kind, value]) =>
              html`<dt>${cached[kind as Caching]}</dt>
                <dd><code>${value}</code></dd>`,
          )}
        </dl>
        <p>
          Nearly every good answer to GET has an <code>ETag</code>. Sent back in <code>If-None-Match</code>,
          it turns the answer into 304 without a body for as long as nothing has changed.
        </p>
        ${sampleFigure(samples.unchanged)}
        <p>
          The service keeps answers itself, and forgets them as soon as something they were made from is
          written. <code>Cache-Control: no-cache</code> gets past that; it makes the answer slower, and is
          only worth it where several processes serve the same data.
        </p>
        ${sampleFigure(samples.fresh)}`,
    },
    {
      id: 'conditions',
      title: 'Conditional writes',
      words: ['if-match', 'optimistic locking', 'concurrency', 'conflict', 'etag', '412'],
      body: html`<p>
          PUT creates or replaces. <code>If-None-Match: *</code> lets it only create: sent twice, the second
          is answered with ${error('precondition_failed')}.
        </p>
        ${sampleFigure(samples.create)}
        <p>
          With the <code>ETag</code> of what was read in <code>If-Match</code>, a change is made only if
          nobody else made one in the meantime. Here the first change succeeds, and the second, made from what
          is no longer so, doesn’t:
        </p>
        ${sampleFigure(samples.change)}
        <p>Without conditions, two changes of different attributes at the same time both survive.</p>`,
    },
    {
      id: 'strict',
      title: 'Strict handling',
      words: ['prefer', 'handling', 'misspelt', 'typo', 'unknown attribute'],
      body: html`<p>
          Attributes that the object doesn’t know, and parameters that the collection doesn’t know, are
          ignored. <code>Prefer: handling=strict</code> makes them faults, which finds misspelt names while a
          program is being written.
        </p>
        ${sampleFigure(samples.strict)}
        <p>What the commands of this page have made is taken away by:</p>
        ${sampleFigure(samples.remove)}`,
    },
    {
      id: 'images',
      title: 'Images in other sizes',
      words: ['thumbnail', 'resize', 'scale', 'width', 'height', 'webp', 'jpeg', 'png', 'gif', 'responsive'],
      body: html`<p>
        <code>download_url</code> with <code>w</code>, <code>h</code> or both gives an image scaled down into
        that box, with its proportions and in its format: ${imageFormats.join(', ')}. Images are never
        enlarged.
      </p>`,
    },
    {
      id: 'browsers',
      title: 'Calls from pages of other websites',
      words: ['cors', 'cross-origin', 'origin', 'preflight', 'browser', 'access-control-allow-origin'],
      body: html`<p>
        A script on a page of another website can call the service if the operator has listed that website’s
        origin in <code>CORS_ORIGINS</code>. Without it, browsers hold back the answer. Programs outside
        browsers aren’t affected.
      </p>`,
    },
    {
      id: 'rates',
      title: 'Rate limits',
      words: ['rate limit', 'rate limiting', 'throttling', 'quota', '429', 'ratelimit', 'retry-after'],
      body: html`<p>
        Where the operator limits rates, an API key, and an address without a valid token, can send a number
        of requests in a minute. <code>RateLimit-Policy</code> holds that number, <code>RateLimit</code> how
        many are left and when there are more. A request above the limit is answered with
        ${error('too_many_requests')} and <code>Retry-After</code>.
      </p>`,
    },
    {
      id: 'rest',
      title: 'And also',
      body: html`<ul>
<li>Success is always 200, also for what creates or deletes. HEAD is answered wherever GET is, OPTIONS with the methods that an address takes.</li>
<li>A write is applied whole or not at all, and stands when it is answered. PUT of what GET has answered changes nothing.</li>
<li>JSON answers are plain ASCII: other characters stand as <code>\\u</code> escapes.</li>
<li><code>X-Request-Id</code> names a request in the answer and in the service’s log; send your own to find it again.</li>
<li>What is deprecated carries the header <code>Deprecation</code>.</li>
<li>The document that programs read is <a href="${root}openapi.json">openapi.json</a>.</li>
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
      The commands on this page work as they are, once your key stands in the first: in a shell, in a module
      of Node, in a browser’s console on this page. Those that write need a key with the role
      <code>editor</code> on instance 1, and leave nothing behind.
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
