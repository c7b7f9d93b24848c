/** The files that pages load, each with its type and its source. */
import { asciiJson } from '@publishing-service/http-contract'
import { searchEntries } from './search-entries.js'

export type Asset = {
  readonly type: string
  /** A file of this package, or a function that generates the text. */
  readonly source: URL | (() => string)
}

const script = 'text/javascript; charset=utf-8'
const style = 'text/css; charset=utf-8'

const file = (path: string): URL => new URL(path, import.meta.url)

const browserModules = [
  'page',
  'search',
  'rank-entries',
  'samples',
  'follow-scroll',
  'reference',
  'execute-with-token',
  'label-fields',
  'operation-errors',
  'sign-in',
  'operation-samples',
  'code-samples',
]

/** By name. The build copies the files of the renderer. */
export const assets: ReadonlyMap<string, Asset> = new Map<string, Asset>([
  ['style.css', { type: style, source: file('../assets/style.css') }],
  ['reference.css', { type: style, source: file('../assets/reference.css') }],
  ['icon.svg', { type: 'image/svg+xml', source: file('../assets/icon.svg') }],
  ['swagger-ui.css', { type: style, source: file('./renderer/swagger-ui.css') }],
  ['swagger-ui-bundle.js', { type: script, source: file('./renderer/swagger-ui-bundle.js') }],
  ['search.json', { type: 'application/json; charset=utf-8', source: () => asciiJson(searchEntries()) }],
  ...browserModules.map((name): [string, Asset] => [
    `${name}.js`,
    { type: script, source: file(`./browser/${name}.js`) },
  ]),
])
