/** Every part of a document that is made from the code. */
import { configurationMarkdown } from '@publishing-service/composition-root'
import { declarationTable } from './declaration-table.js'
import { readDocument } from './documents.js'
import { withSection } from './generated-section.js'
import { packagePicture, packageTable } from './package-tables.js'
import { requestCosts } from './request-costs.js'
import { endpointRoles, roleMatrix } from './role-tables.js'

type Section = {
  readonly path: string
  readonly name: string
  readonly make: () => string | Promise<string>
}

const sections: readonly Section[] = [
  { path: 'README.md', name: 'the picture', make: packagePicture },
  { path: 'README.md', name: 'the configuration', make: configurationMarkdown },
  { path: 'docs/architecture.md', name: 'the packages', make: packageTable },
  { path: 'docs/architecture.md', name: 'the costs', make: requestCosts },
  { path: 'docs/contributing.md', name: 'the declarations', make: declarationTable },
  { path: 'docs/roles.md', name: 'the matrix', make: roleMatrix },
  { path: 'docs/roles.md', name: 'the endpoints', make: endpointRoles },
]

/** The documents with made parts, as they should be, by path. */
export const generatedDocuments = async (): Promise<ReadonlyMap<string, string>> => {
  const texts = new Map<string, string>()
  for (const { path, name, make } of sections) {
    const text = texts.get(path) ?? readDocument(path).text
    texts.set(path, withSection(text, name, await make()))
  }
  return texts
}
