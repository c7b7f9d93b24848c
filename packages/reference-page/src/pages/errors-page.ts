/** The meaning and the remedy of each error code. `error_uri` links to this page (docs/behaviour/errors.md). */
import type { Problem } from '@publishing-service/domain'
import {
  asciiJson,
  documentationPages,
  errorResponse,
  errorBody,
  problemTable,
} from '@publishing-service/http-contract'
import { html, nothing, prose, codeBlock, type Html } from '../html.js'
import { pageHref, type PageContent, type PageRequest } from '../page-layout.js'

const exampleResponse = (tag: Problem['_tag'], base: string): string => {
  const response = errorResponse({ ...problemTable[tag].example, _tag: tag } as Problem)
  const headers = Object.entries(response.headers).map(([name, value]) => `${name}: ${value}`)
  const body = JSON.stringify(JSON.parse(asciiJson(errorBody(response, base))), null, 2)
  return [`HTTP/1.1 ${response.status}`, ...headers, '', body].join('\n')
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
      <summary>Example</summary>
      ${codeBlock(exampleResponse(tag as Problem['_tag'], base))}
    </details>
  </section> `

export const errorsPage = ({ base, root }: PageRequest): PageContent => {
  const rows = Object.entries(problemTable)
  return {
    page: 'errors',
    lead: html`<p>
        A response with a status of 400 or above contains a JSON object: <code>error</code>, a code for
        programs; <code>error_description</code>, a sentence for developers; <code>error_uri</code>, the
        address of the code on this page; and for <code>bad_parameters</code> also <code>error_info</code>,
        with an entry for each fault. Programs should use <code>error</code> and the status; the sentences may
        change.
      </p>
      <p>
        Every response has <code>X-Request-Id</code>, which is also in the log of the service. More about
        requests: <a href="${pageHref(root, 'requests')}">${documentationPages.requests.summary}</a>.
      </p>`,
    headings: rows.map(([, { error, status }]) => ({ id: error, title: `${error} · ${status}` })),
    body: rows.length === 0 ? nothing : html`${rows.map((row) => section(row, base))}`,
  }
}
