/** The generated parts of the documents. */
import { commandSummaries, doctorChecks } from '@publishing-service/cli'
import { configurationTable, type Variable } from '@publishing-service/composition-root'
import { measures, spans } from '@publishing-service/ports'
import { isJsonObject } from '@publishing-service/domain/json'
import { collectionTable } from './collection-table.js'
import { readDocument } from './documents.js'
import { markdownTable } from './markdown-table.js'
import { packagePicture, packageTable } from './package-tables.js'
import { endpointRoles, roleMatrix } from './role-tables.js'

const example = (path: string) => (): string => `\`\`\`ts\n${readDocument(path).text.trim()}\n\`\`\``

const journal = 'docs/examples/journal-store/src'

/** The pair of comments around a generated part, which contain its name. */
const markersOf = (name: string): readonly [string, string] => [
  `<!-- ${name}: made by \`npm run docs\` -->`,
  `<!-- end of ${name} -->`,
]

/** Replaces the generated part of a document. Throws if the document has no such part. */
const withSection = (document: string, name: string, content: string): string => {
  const [begin, end] = markersOf(name)
  const from = document.indexOf(begin)
  const to = document.indexOf(end)
  if (from === -1 || to < from)
    throw new Error(`no section ${name}: it has to be between ${begin} and ${end}`)
  return `${document.slice(0, from + begin.length)}\n\n${content.trim()}\n\n${document.slice(to)}`
}

const commandTable = (): string =>
  markdownTable(
    ['Command', 'What it does'],
    commandSummaries().map(({ name, summary }) => [
      `\`${name}\``,
      `${summary.charAt(0).toUpperCase()}${summary.slice(1)}`,
    ]),
  )

/** What a service traces. */
const spanTable = (): string =>
  markdownTable(
    ['Span', 'Kind', 'Attributes', 'Meaning'],
    Object.values(spans).map(({ name, kind, attributes, description }) => [
      `\`${name}\``,
      kind,
      Object.values(attributes)
        .map((attribute) => `\`${attribute}\``)
        .join(', '),
      description,
    ]),
  )

/** What `admin doctor` examines. */
const checkTable = (): string =>
  markdownTable(
    ['Check', 'What it examines'],
    doctorChecks.map(({ name, examines }) => [name, examines]),
  )

// A pipe would end the cell, also within code.
const cell = (text: string): string => text.replaceAll('|', String.raw`\|`)

const variableRows = Object.entries<Variable<unknown>>(configurationTable).map(
  ([name, { description, secret, fallback, fallbackWords }]) => [
    secret ? `\`${name}\`, \`${name}_FILE\`` : `\`${name}\``,
    fallbackWords ?? (fallback === null || fallback === '' ? '' : `\`${cell(fallback)}\``),
    cell(description),
  ],
)

/** What Prometheus reads of the service itself. */
const metricsTable = (): string =>
  markdownTable(
    ['Metric', 'Labels', 'Meaning'],
    Object.values(measures).map(({ name, description, labels }) => [
      `\`publishing_${name}\``,
      labels.map((label) => `\`${label}\``).join(', '),
      description,
    ]),
  )

const variableTable = (): string => markdownTable(['Variable', 'Default', 'Meaning'], variableRows)

/** The releases of Node on which the service runs, by its package. */
const nodeReleases = (): string => {
  const manifest: unknown = JSON.parse(readDocument('packages/composition-root/package.json').text)
  const engines = isJsonObject(manifest) ? manifest['engines'] : null
  const range = isJsonObject(engines) ? String(engines['node']) : ''
  const releases = range.split(' || ').map((each) => {
    const [, major, minor] = /^\^(\d+)\.(\d+)\.0$/.exec(each) ?? []
    if (major === undefined)
      throw new Error(`${each} is not a release of Node with all later ones of its line`)
    return minor === '0' ? major : `${major} (${major}.${minor} or later)`
  })
  return `The service runs on Node ${releases.slice(0, -1).join(', ')} and ${releases.at(-1) ?? ''}.`
}

type Section = {
  readonly path: string
  readonly name: string
  readonly make: () => string
}

const guide = 'docs/write-an-adapter.md'

const sections: readonly Section[] = [
  ...['README.md', 'docs/run-in-production.md', 'docs/contributing.md'].map((path) => ({
    path,
    name: 'the releases of Node',
    make: nodeReleases,
  })),
  { path: 'docs/architecture.md', name: 'the picture', make: packagePicture },
  { path: 'docs/configuration.md', name: 'the configuration', make: variableTable },
  { path: 'docs/commands.md', name: 'the commands', make: commandTable },
  { path: 'docs/metrics.md', name: 'the metrics', make: metricsTable },
  { path: 'docs/traces.md', name: 'the spans', make: spanTable },
  { path: 'docs/doctor.md', name: 'the checks', make: checkTable },
  { path: 'docs/architecture.md', name: 'the packages', make: packageTable },
  { path: 'docs/roles.md', name: 'the matrix', make: roleMatrix },
  { path: 'docs/roles.md', name: 'the endpoints', make: endpointRoles },
  {
    path: guide,
    name: 'the store on SQL',
    make: example('packages/sql-kit/src/test-support/example-store.ts'),
  },
  { path: guide, name: 'the collections', make: collectionTable },
  { path: guide, name: 'the test', make: example(`${journal}/journal-document-store.test.ts`) },
  { path: guide, name: 'the declaration', make: example(`${journal}/index.ts`) },
]

/** The expected texts of all documents with generated parts, by path. */
export const generatedDocuments = (): ReadonlyMap<string, string> => {
  const texts = new Map<string, string>()
  for (const { path, name, make } of sections) {
    const text = texts.get(path) ?? readDocument(path).text
    texts.set(path, withSection(text, name, make()))
  }
  return texts
}
