/** A whole document: a page within the frame of the website. */
import { markup, trusted, type Markup } from './markup.js'
import type { Page } from './own-page.js'
import type { Publication } from './publication.js'

/** The script that shows pictures large. */
const gallery = '<script src="/gallery.js" type="module"></script>'

/** What search engines and social networks read. */
const head = ({ seo }: Page, site: string) => markup`
    <title>${seo.title === site ? site : `${seo.title} – ${site}`}</title>
    ${seo.description && markup`<meta name="description" content="${seo.description}">`}
    ${seo.robots === 'noindex' && markup`<meta name="robots" content="noindex">`}
    ${seo.canonical && markup`<link rel="canonical" href="${seo.canonical}">`}
    ${seo.open_graph.map(({ property, content }) => markup`<meta property="${property}" content="${content}">`)}
    ${seo.json_ld.map((each) =>
      // No text of it can end the element.
      trusted(
        `<script type="application/ld+json">${JSON.stringify(each).replaceAll('<', '\\u003c')}</script>`,
      ),
    )}`

export const documentOf = async (from: Publication, path: string, page: Page): Promise<string> => {
  const { sections, hasImprint, title, language, website_url: website } = await from.site()
  const feed = `/feed/${page.feed ?? 'all'}`
  const entry = (address: string, text: string) => {
    const current = path === address ? 'page' : String(path.startsWith(address))
    return markup`<li><a href="${address}" aria-current="${current}">${text}</a></li>`
  }
  const top = sections.filter((each) => each.parent_uuid === null && !each.hide_in_nav)
  /** Files have the address of the website: in the page a path, for others the whole address. */
  const withOwnFiles = ({ html }: Markup, base: string) => html.replaceAll(from.files, `${base}/files/`)
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">${withOwnFiles(head(page, title), website?.replace(/\/$/, '') ?? '')}
    <link rel="stylesheet" href="/style.css">
    <link rel="icon" href="/icon.svg">${markup`${page.main}`.html.includes('<a class="large"') ? gallery : ''}
    <link rel="alternate" type="application/atom+xml" href="${feed}.atom">
    <link rel="alternate" type="application/feed+json" href="${feed}.json">
  </head>${withOwnFiles(
    markup`
  <body>
    <a class="skip" href="#main">Skip to the content</a>
    <header class="masthead">
      <p class="name"><a href="/">${title}</a></p>
      <nav aria-label="Sections"><ul>${top.map((each) => entry(each.externalurl ?? each.path ?? '/', each.title))}
        ${entry('/calendar/', 'Calendar')}${entry('/locations/', 'Places')}${entry('/search/', 'Search')}</ul></nav>
    </header>
    <main id="main">${page.main}</main>
    <footer class="foot"><p>${title}</p><ul>
      ${hasImprint && markup`<li><a href="/imprint/">Imprint</a></li>`}<li><a href="${feed}.atom">Feed</a></li></ul></footer>
  </body>
</html>
`,
    '',
  )}`
}
