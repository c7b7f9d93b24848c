/** `npm run docs`: writes the generated parts of the documents. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDocument, root } from './documents.js'
import { generatedDocuments } from './generated.js'

for (const [path, text] of generatedDocuments()) {
  if (readDocument(path).text === text) continue
  writeFileSync(join(root, path), text)
  process.stdout.write(`${path} is written anew\n`)
}
