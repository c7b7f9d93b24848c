/**
 * Checks responses against the OpenAPI document of the service: status, headers, media type and body. The HTTP
 * client of the tests checks each response.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { isJsonObject, type JsonObject } from '@publishing-service/domain/json'
import {
  createRouteTable,
  endpoints,
  responseHeaders,
  type Endpoint,
} from '@publishing-service/http-contract'
import { openApiDocument } from '@publishing-service/http-contract/openapi'
import { jsonOf, type RawResponse } from './response-rules.js'

const document = openApiDocument()

/** Validators for parts of the document, by JSON pointer. Formats of the service are not validated. */
const createDocumentValidator = (): ((pointer: string) => ValidateFunction) => {
  // Ten times faster to compile. The tests of the document validate its schemas.
  const quick = { validateSchema: false, inlineRefs: false, code: { optimize: false } } as const
  const ajv = new Ajv2020({ strict: false, logger: false, ...quick })
  // The package is CommonJS, so its default import is the exports object.
  addFormats.default(ajv)
  ajv.addSchema(document, 'document')
  const compiled = new Map<string, ValidateFunction>()
  return (pointer) => {
    let validate = compiled.get(pointer)
    if (validate === undefined)
      compiled.set(pointer, (validate = ajv.compile({ $ref: `document#${pointer}` })))
    return validate
  }
}

const validatorAt = createDocumentValidator()
const findRoute = createRouteTable(endpoints)

const escaped = (name: string): string => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))

type Part = { readonly value: JsonObject; readonly pointer: string }

const findPart = (names: readonly string[]): Part | null => {
  let value: unknown = document
  for (const name of names) value = isJsonObject(value) ? value[name] : undefined
  if (!isJsonObject(value)) return null
  const reference = value['$ref']
  return typeof reference === 'string'
    ? lookUp(...reference.slice(2).split('/'))
    : { value, pointer: names.map((name) => `/${escaped(name)}`).join('') }
}

const found = new Map<string, Part | null>()

/** The object at a JSON pointer, and the pointer after references are resolved. */
const lookUp = (...names: readonly string[]): Part | null => {
  const key = names.join(' ')
  let part = found.get(key)
  if (part === undefined) found.set(key, (part = findPart(names)))
  return part
}

const fail = (what: string): never => {
  throw new Error(`the response differs from the OpenAPI document: ${what}`)
}

const expectDocumentedHeaders = ({ headers }: RawResponse, documented: JsonObject): void => {
  for (const name of Object.keys(responseHeaders)) {
    const declared = documented[name] === undefined ? null : lookUp('components', 'headers', name)
    const sent = headers[name.toLowerCase()]
    if (sent === undefined) {
      if (declared?.value['required'] === true) fail(`the header ${name} is missing`)
    } else if (declared === null) fail(`the header ${name} is not documented`)
    else {
      const { type } = (declared.value['schema'] ?? {}) as { readonly type?: string }
      const validate = validatorAt(`${declared.pointer}/schema`)
      if (!validate(type === 'integer' ? Number(sent) : sent)) fail(`header ${name} is not ${String(sent)}`)
    }
  }
}

const mediaTypeOf = ({ headers }: RawResponse): string =>
  (headers['content-type'] ?? '').split(';', 1)[0] ?? ''

const expectDocumentedBody = (response: RawResponse, content: JsonObject, pointer: string): void => {
  const type = mediaTypeOf(response)
  const named = content[type] === undefined ? '*/*' : type
  if (content[named] === undefined)
    return void fail(`the media type is ${Object.keys(content).join(', ')}, not ${type}`)
  if (!type.endsWith('json') || named === '*/*' || response.method === 'HEAD') return
  const { schema = null } = content[named] as JsonObject
  const shared = isJsonObject(schema) ? schema['$ref'] : undefined
  const validate = validatorAt(
    typeof shared === 'string' ? shared.slice(1) : `${pointer}/content/${escaped(named)}/schema`,
  )
  if (!validate(jsonOf(response))) fail(JSON.stringify(validate.errors?.slice(0, 3)))
}

/** An accepted request body must be valid for the document. */
const expectDocumentedRequest = ({ status, sent }: RawResponse, { path, method }: Endpoint): void => {
  const body = lookUp('paths', path, method.toLowerCase(), 'requestBody', 'content', 'application/json')
  if (body === null || status !== 200 || typeof sent !== 'string' || sent.trim() === '') return
  const validate = validatorAt(`${body.pointer}/schema`)
  if (!validate(JSON.parse(sent)))
    fail(
      `the document rejects this request body: ${JSON.stringify(validate.errors?.slice(0, 3))} ${sent.slice(0, 300)}`,
    )
}

const endpointOf = ({ method, path }: RawResponse): Endpoint | undefined =>
  findRoute(path.split('?', 1)[0] ?? '')?.endpoints.get(method === 'HEAD' ? 'GET' : method)

/** Throws if a response does not agree with the document. Requests without an operation are ignored. */
export const expectDocumented = (response: RawResponse): void => {
  const endpoint = endpointOf(response)
  if (endpoint === undefined) return
  const { status } = response
  const documented = lookUp(
    'paths',
    endpoint.path,
    endpoint.method.toLowerCase(),
    'responses',
    String(status),
  )
  if (documented === null) return void fail(`${endpoint.id} does not document the status ${status}`)
  expectDocumentedRequest(response, endpoint)
  const { headers, content } = documented.value
  expectDocumentedHeaders(response, isJsonObject(headers) ? headers : {})
  if (isJsonObject(content)) expectDocumentedBody(response, content, documented.pointer)
  else if (response.bytes.length > 0) fail(`${endpoint.id} documents no body for ${status}`)
}
