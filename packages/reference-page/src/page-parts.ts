/** The parts of the pages that come from the declarations, as Markdown. The build inserts them into `src/pages`. */
import { imageFormats } from '@publishing-service/domain/images'
import { pageLimits } from '@publishing-service/domain/lists'
import { roleDescriptions } from '@publishing-service/domain/roles'
import {
  cacheControl,
  documentationPages,
  vary,
  type Caching,
  type PageName,
} from '@publishing-service/http-contract'
import { errorParts } from './errors.js'
import { table } from './markdown.js'
import { markupParts } from './markup.js'
import { formatTable, objectParts } from './objects.js'

const cached: Readonly<Record<Caching, string>> = {
  object: 'Objects and collections',
  settings: 'Settings',
  download: 'File data',
  documentation: 'Documentation',
  unstored: 'Drafts',
  none: 'Tokens, health, errors, and responses to writes',
}

/** By page, and then by the name in the Markdown, such as `{{roles}}`. The renderer draws the reference. */
export const pageParts: {
  readonly [P in Exclude<PageName, 'reference'>]: () => Readonly<Record<string, string>>
} = {
  objects: () => ({ objects: objectParts(), formats: formatTable() }),
  requests: () => ({
    roles: table(
      ['Role', 'Meaning'],
      Object.entries(roleDescriptions).map(([role, text]) => [`\`${role}\``, text]),
    ),
    rpp: String(pageLimits.rpp),
    'most rpp': String(pageLimits.maxRpp),
    'most MiB': String(pageLimits.bytes / 1024 / 1024),
    'most orders': String(pageLimits.orders),
    vary: `\`${vary}\``,
    caching: table(
      ['Response', '`Cache-Control`'],
      (Object.keys(cached) as Caching[]).map((kind) => [cached[kind], `\`${cacheControl[kind]}\``]),
    ),
    'image formats': imageFormats.join(', '),
  }),
  markup: markupParts,
  errors: () => ({ errors: errorParts() }),
}

/** The titles of the pages, for links between them. */
export const pages = documentationPages
