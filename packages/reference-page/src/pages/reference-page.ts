/** The operations, which the renderer draws from the OpenAPI document of the service. */
import { endpoints, groupDescription, groupOf, type Endpoint } from '@publishing-service/http-contract'
import { html, prose, sampleFigure, type Html } from '../html.js'
import { operationHref } from '../described-objects.js'
import { pageHref, type PageContent, type PageRequest } from '../page-layout.js'
import { requestSamples } from '../request-samples.js'

const signIn: Html = html`<form id="sign-in" hidden>
  <h2>Try it with your key</h2>
  <p>The key is exchanged for a token, which only this page has, until you leave it.</p>
  <div class="fields">
    <label>API key <input name="api_key" autocomplete="off" required /></label>
    <label>API secret <input name="api_secret" type="password" autocomplete="off" required /></label>
    <button>Get a token</button>
  </div>
  <p role="status"></p>
</form>`

const operationLine = (endpoint: Endpoint): Html =>
  html`<li id="${operationHref(endpoint).slice(1)}">
    <a href="${operationHref(endpoint)}"
      ><b class="method ${endpoint.method.toLowerCase()}">${endpoint.method}</b>
      <code>${endpoint.path}</code> ${endpoint.summary}</a
    >
  </li>`

const endpointsOf = (group: string): readonly Endpoint[] =>
  endpoints.filter((endpoint) => groupOf(endpoint) === group)

/** Shown without scripts, and until the renderer has drawn the operations. */
const plainList = (groups: readonly string[]): Html =>
  html`${groups.map(
    (group) =>
      html`<section id="/${group}">
        <h2>${group}</h2>
        <p>${prose(groupDescription(group))}</p>
        <ul class="operations">
          ${endpointsOf(group).map(operationLine)}
        </ul>
      </section>`,
  )}`

export const referencePage = ({ base, root }: PageRequest): PageContent => {
  const groups = [...new Set(endpoints.map(groupOf))]
  return {
    page: 'reference',
    lead: html`<p>
        The back end of website publications: sections, content with media slots, locations, files, tags and
        homepages, for people and programs. Start with <a href="${pageHref(root, 'requests')}">Requests</a>,
        from a token to conditional writes. The OpenAPI document is
        <a href="${root}openapi.json">openapi.json</a>.
      </p>
      <p>In the commands below, <code>$TOKEN</code> and <code>token</code> are the result of this command:</p>
      ${sampleFigure(requestSamples(base).token)}`,
    headings: groups.map((group) => ({
      id: `/${group}`,
      title: group,
      parts: endpointsOf(group).map((endpoint) => ({
        id: operationHref(endpoint).slice(1),
        title: endpoint.summary,
      })),
    })),
    body: html`${signIn}
      <div id="operations">${plainList(groups)}</div>`,
    styles: ['reference.css'],
    scripts: ['swagger-ui-bundle.js'],
    modules: ['reference.js'],
  }
}
