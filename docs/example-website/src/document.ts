import { markup, type Markup } from './markup.js'
import type { Page } from './pages.js'
import type { Site } from './publication.js'

/** A whole document: a page within the frame of the site. */
export const documentOf = (site: Site, path: string, { title, description, main }: Page): Markup => {
  const sections = site.sections.filter((each) => each.parent_uuid === null && !each.hide_in_nav)
  const own = [
    { path: '/calendar/', title: 'Calendar' },
    { path: '/locations/', title: 'Places' },
  ]
  const entries = [...sections, ...own].map((each) => {
    const current = path === each.path ? 'page' : 'false'
    return markup`<li><a href="${each.path}" aria-current="${current}">${each.title}</a></li>`
  })
  return markup`<!doctype html>
<html lang="${site.language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>${title} – ${site.title}</title>
    ${description && markup`<meta name="description" content="${description}">`}
    <link rel="stylesheet" href="/style.css">
    <link rel="icon" href="/icon.svg">
    <link rel="alternate" type="application/atom+xml" href="/feed/all.atom" title="${site.title}">
  </head>
  <body>
    <a class="skip" href="#main">Skip to the content</a>
    <header class="masthead">
      <p class="name"><a href="/">${site.title}</a></p>
      <nav aria-label="Sections"><ul>${entries}</ul></nav>
    </header>
    <main id="main">${main}</main>
    <footer class="foot"><p>${site.title}</p><p><a href="/feed/all.atom">Feed</a></p></footer>
  </body>
</html>
`
}
