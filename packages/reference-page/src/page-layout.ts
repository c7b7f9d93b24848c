/** The layout of every page: links to the others, the search, and the content of the page. */
import {
  dashboardPath,
  documentationPages,
  type DeploymentFacts,
  type PageName,
} from '@publishing-service/http-contract'
import { html, nothing, type Html } from './html.js'

/** What a page depends on in a request. */
export type PageRequest = {
  /** The public address of the service, for commands that are copied. */
  readonly base: string
  /** The relative path from the page to the root of the service, such as `../`, so that links work behind any proxy. */
  readonly root: string
  /** The address of a file of the pages, below the root. */
  readonly assetPath: (name: string) => string
  /** The configuration of the deployment. */
  readonly facts: DeploymentFacts
}

export type Heading = {
  readonly id: string
  readonly title: string
  /** The headings below it. */
  readonly parts?: readonly Heading[]
}

export type PageContent = {
  readonly page: PageName
  readonly lead: Html
  /** The parts of the page, for the table of contents. */
  readonly headings: readonly Heading[]
  readonly body: Html
  /** Files that only this page needs. */
  readonly styles?: readonly string[]
  readonly modules?: readonly string[]
  /** Scripts that are not modules. They run before the modules. */
  readonly scripts?: readonly string[]
}

export const pageHref = (root: string, page: PageName): string =>
  `${root}${documentationPages[page].path.slice(1)}`

const navigation = ({ root }: PageRequest, current: PageName): Html =>
  html`<nav aria-label="Pages">
    <ul class="pages">
      ${Object.entries(documentationPages).map(
        ([name, { summary }]) =>
          html`<li>
            <a
              href="${pageHref(root, name as PageName)}"
              ${name === current ? html` aria-current="page"` : nothing}
              >${summary}</a
            >
          </li>`,
      )}
      <li><a href="${root}${dashboardPath.slice(1)}">Dashboard</a></li>
    </ul>
  </nav>`

const listOf = (headings: readonly Heading[]): Html =>
  html`<ul>
    ${headings.map(
      ({ id, title, parts = [] }) =>
        html`<li><a href="#${id}">${title}</a>${parts.length === 0 ? nothing : listOf(parts)}</li>`,
    )}
  </ul>`

/** The complete page. */
export const layOut = (request: PageRequest, content: PageContent): string => {
  const { page, lead, headings, body, styles = [], modules = [], scripts = [] } = content
  const { root, assetPath } = request
  const asset = (name: string): string => `${root}${assetPath(name)}`
  const { summary } = documentationPages[page]
  return html`<!doctype html>
    <html lang="en" data-root="${root}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${summary} · Publishing Service</title>
        <link rel="icon" href="${asset('icon.svg')}" type="image/svg+xml" />
        ${['style.css', ...styles].map((name) => html`<link rel="stylesheet" href="${asset(name)}" /> `)}${scripts.map((name) => html`<script defer src="${asset(name)}"></script> `)}${['page.js', ...modules].map((name) => html`<script type="module" src="${asset(name)}"></script> `)}
      </head>
      <body class="${page}" data-search="${asset('search.json')}">
        <a class="skip" href="#main">Skip to the page</a>
        <header>
          <a class="brand" href="${pageHref(root, 'reference')}">Publishing Service</a>
          <div id="search" role="search" hidden>
            <input
              type="search"
              placeholder="Search"
              aria-label="Search the documentation"
              autocomplete="off"
              spellcheck="false"
              role="combobox"
              aria-expanded="false"
              aria-controls="results"
              aria-autocomplete="list"
            /><kbd>/</kbd>
            <ul id="results" role="listbox" aria-label="Results" hidden></ul>
          </div>
          ${navigation(request, page)}
        </header>
        <div class="columns">
          <aside>
            <nav aria-label="On this page">
              <details open>
                <summary>On this page</summary>
                ${listOf(headings)}
              </details>
            </nav>
          </aside>
          <main id="main" tabindex="-1">
            <h1>${summary}</h1>
            <div class="lead">${lead}</div>
            ${body}
          </main>
        </div>
      </body>
    </html> `.markup
}
