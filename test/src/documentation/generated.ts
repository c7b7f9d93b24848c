/** Every part of a document that is made from the code. */
import { configurationMarkdown } from '@publishing-service/composition-root'
import { commandReference, commandTable } from './command-reference.js'
import { adapterTable, contractSentences } from './conformance-tables.js'
import { examplesFile, examplesPath } from '../openapi/examples.js'
import { declarationTable } from './declaration-table.js'
import { readDocument } from './documents.js'
import { withSection } from './generated-section.js'
import { packagePicture, packageTable } from './package-tables.js'
import { requestCosts } from './request-costs.js'
import { endpointRoles, roleMatrix } from './role-tables.js'

const example = (file: string) => (): string =>
  `\`\`\`ts\n${readDocument(`docs/examples/journal-store/src/${file}`).text.trim()}\n\`\`\``

type Section = {
  readonly path: string
  readonly name: string
  readonly make: () => string | Promise<string>
}

const sections: readonly Section[] = [
  { path: 'README.md', name: 'the picture', make: packagePicture },
  { path: 'README.md', name: 'the configuration', make: configurationMarkdown },
  { path: 'README.md', name: 'the commands', make: commandTable },
  { path: 'docs/administration.md', name: 'the commands', make: commandReference },
  { path: 'docs/architecture.md', name: 'the packages', make: packageTable },
  { path: 'docs/architecture.md', name: 'the costs', make: requestCosts },
  { path: 'docs/contributing.md', name: 'the declarations', make: declarationTable },
  { path: 'docs/roles.md', name: 'the matrix', make: roleMatrix },
  { path: 'docs/roles.md', name: 'the endpoints', make: endpointRoles },
  { path: 'docs/write-an-adapter.md', name: 'the test', make: example('journal-document-store.test.ts') },
  { path: 'docs/write-an-adapter.md', name: 'the declaration', make: example('index.ts') },
  { path: 'packages/conformance/README.md', name: 'the sentences', make: contractSentences },
  { path: 'packages/conformance/README.md', name: 'the adapters', make: adapterTable },
]

/** The documents with made parts, and the files that are made as a whole, as they should be, by path. */
export const generatedDocuments = async (): Promise<ReadonlyMap<string, string>> => {
  const texts = new Map<string, string>()
  for (const { path, name, make } of sections) {
    const text = texts.get(path) ?? readDocument(path).text
    texts.set(path, withSection(text, name, await make()))
  }
  texts.set(examplesPath, await examplesFile())
  return texts
}
