// Writes what the client has of the declarations: src/api.ts, the types of the OpenAPI document, and src/vocabulary.ts, the
// elements of bodies. Runs before the client is compiled, and leaves a file that is as it would be written.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bodySchema, globalAttributes, linkSchemes } from '../../domain/dist/exports/markup.js'
import { openApiDocument } from '../../http-contract/dist/openapi/index.js'

const madeBy = '// Made by bin/write-types.js.'
const fileOf = (name) => fileURLToPath(new URL(`../src/${name}`, import.meta.url))
const startsWith = (file, text) => existsSync(file) && readFileSync(file, 'utf8').startsWith(text)

const document = openApiDocument()
const checksum = createHash('sha256').update(JSON.stringify(document))
for (const path of ['write-types.js', '../package.json'])
  checksum.update(readFileSync(new URL(path, import.meta.url)))
const firstLine = `${madeBy} Checksum of what it is made from: ${checksum.digest('hex')}\n`

const types = fileOf('api.ts')
if (!startsWith(types, firstLine)) {
  // Loaded only here: the generator loads a compiler.
  const { default: openapiTS, astToString, stringToAST } = await import('openapi-typescript')
  // A name with attributes in brackets. As any text, it would hide the names in the types of `include`.
  const [{ type: withBrackets }] = stringToAST('type T = `${string}(${string})`')
  const transform = ({ format }) => (format === 'included-attributes' ? withBrackets : undefined)
  const ast = await openapiTS(document, { defaultNonNullable: false, transform })
  writeFileSync(types, `${firstLine}\n${astToString(ast)}`)
}

/** What is safe in an attribute: any text, an address, or a list of addresses of images. */
const kinds = { link: 'link', 'image candidates': 'images' }
const attributesOf = (rules) =>
  Object.fromEntries(rules.map(({ name, value }) => [name, kinds[value.kind] ?? 'text']))
const ownOf = ({ attributes }) => attributesOf(attributes.filter((each) => !globalAttributes.includes(each)))

const rendered = bodySchema.elements.filter(({ name }) => name !== 'slot')
const vocabulary = `${madeBy}
type Attributes = Readonly<Record<string, 'text' | 'link' | 'images'>>

/** The elements of bodies but \`slot\`, with the attributes that not all elements have. */
export const elements: Readonly<Record<string, Attributes>> = ${JSON.stringify(
  Object.fromEntries(rendered.map((rule) => [rule.name, ownOf(rule)])),
)}

/** The attributes of all elements. */
export const globalAttributes: Attributes = ${JSON.stringify(attributesOf(globalAttributes))}

/** The elements without content. */
export const emptyElements: readonly string[] = ${JSON.stringify(
  rendered.filter(({ content }) => content.kind === 'empty').map(({ name }) => name),
)}

export const linkSchemes: readonly string[] = ${JSON.stringify(linkSchemes)}

/** The most open elements. */
export const maximumDepth = ${bodySchema.maximumDepth}
`
const elements = fileOf('vocabulary.ts')
if (!startsWith(elements, vocabulary)) writeFileSync(elements, vocabulary)
