// Writes src/api.ts, the types of the client, from the OpenAPI document of the declarations. Runs before the client is
// compiled, and does nothing if the document and the generator are those that wrote the file.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openApiDocument } from '../../http-contract/dist/openapi/index.js'

const output = fileURLToPath(new URL('../src/api.ts', import.meta.url))
const document = openApiDocument()

const checksum = createHash('sha256').update(JSON.stringify(document))
for (const path of ['write-types.js', '../package.json'])
  checksum.update(readFileSync(new URL(path, import.meta.url)))
const firstLine = `// Made by bin/write-types.js. Checksum of what it is made from: ${checksum.digest('hex')}\n`

if (!existsSync(output) || !readFileSync(output, 'utf8').startsWith(firstLine)) {
  // Loaded only here: the generator loads a compiler.
  const { default: openapiTS, astToString } = await import('openapi-typescript')
  const types = astToString(await openapiTS(document, { defaultNonNullable: false }))
  writeFileSync(output, `${firstLine}\n${types}`)
}
