/** Writes the OpenAPI document of a service without a public base URL to the file of the first argument. */
import { writeFile } from 'node:fs/promises'
import { openApiDocument } from '@publishing-service/http-contract/openapi'

const [, , path] = process.argv
if (path === undefined) throw new Error('name the file to write the document to')
await writeFile(path, `${JSON.stringify(openApiDocument())}\n`)
