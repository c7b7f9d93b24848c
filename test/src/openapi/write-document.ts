/** Writes the OpenAPI document, as a service without a public address serves it, to the file that is named. */
import { writeFile } from 'node:fs/promises'
import { openApiDocument } from '@publishing-service/http-contract/openapi'

const [, , path] = process.argv
if (path === undefined) throw new Error('name the file to write the document to')
await writeFile(path, `${JSON.stringify(openApiDocument())}\n`)
