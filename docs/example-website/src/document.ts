import { markup, type Markup } from './markup.js'
import type { Page } from './pages.js'
import type { Publication } from './publication.js'

/** A whole document: a page within the frame of the website. */
export const documentOf = (publication: Publication, path: string, page: Page): Markup => {
  const { sections, title, language, website_url: website } = publication.site()
  const feed = `/feed/${page.feed ?? 'all'}.atom`
  const entry = (address: string, text: string | null) => {
    const current = path === address ? 'page' : String(path.startsWith(address))
    return markup`<li><a href="${address}" aria-current="${current}">${text}</a></li>`
  }
  const top = sections.filter((each) => each.parent_uuid === null && !each.hide_in_nav)
  return markup`<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>${page.title} – ${title}</title>
    <meta name="description" content="${page.description}">
    <link rel="stylesheet" href="/style.css">
    <link rel="icon" href="/icon.svg">
    ${website && markup`<link rel="alternate" type="application/atom+xml" href="${feed}">`}
  </head>
  <body>
    <a class="skip" href="#main">Skip to the content</a>
    <header class="masthead">
      <p class="name"><a href="/">${title}</a></p>
      <nav aria-label="Sections"><ul>${top.map((each) => entry(each.path, each.title))}
        ${entry('/calendar/', 'Calendar')}${entry('/locations/', 'Places')}${entry('/search/', 'Search')}</ul></nav>
    </header>
    <main id="main">${page.main}</main>
    <footer class="foot"><p>${title}</p>${website && markup`<p><a href="${feed}">Feed</a></p>`}</footer>
  </body>
</html>
`
}
