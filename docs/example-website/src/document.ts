import { markup, type Markup } from './markup.js'
import type { Page } from './pages.js'
import type { Site } from './publication.js'

/** A whole document: the page between the header and the footer of the site. */
export const documentOf = (
  { settings, sections }: Site,
  path: string,
  { title, description, main }: Page,
): Markup => {
  const entry = (address: string | null, text: string | null) =>
    markup`<li><a href="${address}"${path === address && markup` aria-current="page"`}>${text}</a></li>`
  const top = [...sections.values()].filter((each) => each.parent_uuid === null && !each.hide_in_nav)
  return markup`<!doctype html>
<html lang="${settings.language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>${title && `${title} – `}${settings.title}</title>
    <meta name="description" content="${description}">
    <link rel="stylesheet" href="/style.css">
    <link rel="icon" href="/icon.svg">
    <link rel="alternate" type="application/atom+xml" href="/feed/all.atom" title="${settings.title}">
  </head>
  <body>
    <a class="skip" href="#main">Skip to the content</a>
    <header class="masthead">
      <p class="name"><a href="/">${settings.title}</a></p>
      <nav aria-label="Sections">
        <ul>${top.map((each) => entry(each.path, each.title))}${entry('/calendar/', 'Calendar')}${entry('/locations/', 'Places')}</ul>
      </nav>
    </header>
    <main id="main">${main}</main>
    <footer class="foot"><p>© ${settings.title}</p><p><a href="/feed/all.atom">Feed</a></p></footer>
  </body>
</html>
`
}
