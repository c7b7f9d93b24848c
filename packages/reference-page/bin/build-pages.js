// Builds the files that the service sends below /docs: the Markdown of src/pages with the parts that come from the
// declarations, Swagger UI, and what browsers load with them. An installation from the registry has them.
import { hash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const home = fileURLToPath(new URL('..', import.meta.url))
const output = join(home, 'dist', 'web')

/** The Markdown of a page with its parts. */
const withParts = (name, parts) => {
  const unused = new Set(Object.keys(parts))
  const text = readFileSync(join(home, 'src', 'pages', `${name}.md`), 'utf8').replaceAll(
    /\{\{([^}]+)\}\}/g,
    (_match, part) => {
      if (parts[part] === undefined) throw new Error(`${name}.md has an unknown part: ${part}`)
      unused.delete(part)
      return parts[part]
    },
  )
  if (unused.size > 0) throw new Error(`${name}.md lacks parts: ${[...unused].join(', ')}`)
  return text
}

/** Links to the headings of the second level. */
const contentsOf = (markdown, tokens) =>
  tokens.flatMap((token, index) =>
    token.type === 'heading_open' && token.tag === 'h2'
      ? `<li><a href="#${token.attrGet('id')}">${markdown.renderer.render(tokens[index + 1].children, markdown.options, {})}</a></li>`
      : [],
  )

/** Addresses are relative to `/docs`, or to a page below it, so that they work behind any proxy. */
const layOut = (name, { pages, version, head, body }) => {
  const root = name === 'reference' ? '' : '../'
  const title = pages[name].summary
  const links = Object.entries(pages).map(
    ([each, { path, summary }]) =>
      `<li><a href="${root}${path.slice(1)}"${each === name ? ' aria-current="page"' : ''}>${summary}</a></li>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Publishing Service</title>
<link rel="icon" href="${root}docs/assets/${version}/icon.svg" type="image/svg+xml">
${head}
<link rel="stylesheet" href="${root}docs/assets/${version}/style.css">
</head>
<body class="${name}">
<a class="skip" href="#main">Skip to the page</a>
<header>
<b>Publishing Service</b>
<nav aria-label="Pages"><ul>${links.join('')}<li><a href="${root}dashboard">Dashboard</a></li></ul></nav>
</header>
<main id="main" tabindex="-1">
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`
}

/** Places what browsers load in a folder that is named after its content, and returns the name. */
const placeAssets = (renderer) => {
  const files = [
    join(home, 'assets', 'icon.svg'),
    join(home, 'assets', 'style.css'),
    join(home, 'dist', 'browser', 'reference.js'),
    join(renderer, 'swagger-ui.css'),
    join(renderer, 'swagger-ui-bundle.js'),
  ]
  const version = hash(
    'sha1',
    files.map((path) => hash('sha1', readFileSync(path))).join(),
    'base64url',
  ).slice(0, 12)
  const assets = join(output, 'assets')
  mkdirSync(join(assets, version), { recursive: true })
  for (const path of files) copyFileSync(path, join(assets, version, basename(path)))
  for (const each of readdirSync(assets))
    if (each !== version) rmSync(join(assets, each), { recursive: true })
  return version
}

const placeLicences = (renderer) => {
  const folder = join(output, 'licences')
  mkdirSync(folder, { recursive: true })
  for (const name of ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'])
    copyFileSync(join(renderer, name), join(folder, name))
}

export const buildPages = async () => {
  if (!existsSync(join(home, 'src'))) return
  const { default: MarkdownIt } = await import('markdown-it')
  const { default: attributes } = await import('markdown-it-attrs')
  const { pageParts, pages } = await import('../dist/page-parts.js')
  const renderer = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))
  const version = placeAssets(renderer)
  placeLicences(renderer)
  const write = (name, content) =>
    writeFileSync(join(output, `${name}.html`), layOut(name, { pages, version, ...content }))

  const markdown = new MarkdownIt().use(attributes, { allowedAttributes: ['id'] })
  for (const [name, parts] of Object.entries(pageParts)) {
    const tokens = markdown.parse(withParts(name, parts()), {})
    write(name, {
      // Not even scripts of the same origin, where users upload files.
      head: `<meta http-equiv="Content-Security-Policy" content="script-src 'none'">`,
      body: `<nav aria-label="On this page"><ul>${contentsOf(markdown, tokens).join('')}</ul></nav>
${markdown.renderer.render(tokens, markdown.options, {})}`,
    })
  }

  const assets = `docs/assets/${version}`
  write('reference', {
    head: `<link rel="stylesheet" href="${assets}/swagger-ui.css">
<script defer src="${assets}/swagger-ui-bundle.js"></script>
<script type="module" src="${assets}/reference.js"></script>`,
    body: `<noscript>The list of operations needs JavaScript. <a href="openapi.json">openapi.json</a> describes them too.</noscript>
<div id="operations"></div>`,
  })
}
