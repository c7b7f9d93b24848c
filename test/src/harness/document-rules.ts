/**
 * What the service’s own OpenAPI document says of every answer: its status, headers, type and body. The client of the
 * tests holds each answer against it, so that the document can’t lie.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { isJsonObject, type JsonObject } from '@publishing-service/domain'
import {
  createRouteTable,
  endpoints,
  responseHeaders,
  type Endpoint,
  type Method,
} from '@publishing-service/http-contract'
import { openApiDocument } from '@publishing-service/http-contract/openapi'
import { jsonOf, type RawAnswer } from './answer-rules.js'

const document = openApiDocument()

/** Validators of parts of the document, by their pointer. Formats that only the service knows say nothing here. */
const createDocumentValidator = (): ((pointer: string) => ValidateFunction) => {
  // Compiled in a tenth of the time: the tests of the document look at its schemas, and few answers are long.
  const quick = { validateSchema: false, inlineRefs: false, code: { optimize: false } } as const
  const ajv = new Ajv2020({ strict: false, logger: false, ...quick })
  // The package is CommonJS: what a default import of it gives is its exports.
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

/** What stands at a pointer, and where it really stands when that is a reference. */
const lookUp = (
  ...names: readonly string[]
): { readonly value: JsonObject; readonly pointer: string } | null => {
  let value: unknown = document
  for (const name of names) value = isJsonObject(value) ? value[name] : undefined
  if (!isJsonObject(value)) return null
  const reference = value['$ref']
  return typeof reference === 'string'
    ? lookUp(...reference.slice(2).split('/'))
    : { value, pointer: names.map((name) => `/${escaped(name)}`).join('') }
}

const fail = (what: string): never => {
  throw new Error(`the OpenAPI document says otherwise: ${what}`)
}

const expectDocumentedHeaders = ({ headers }: RawAnswer, documented: JsonObject): void => {
  for (const name of Object.keys(responseHeaders)) {
    const declared = documented[name] === undefined ? null : lookUp('components', 'headers', name)
    const sent = headers[name.toLowerCase()]
    if (sent === undefined) {
      if (declared?.value['required'] === true) fail(`it has the header ${name}`)
    } else if (declared === null) fail(`it has no header ${name}`)
    else {
      const { type } = (declared.value['schema'] ?? {}) as { readonly type?: string }
      const validate = validatorAt(`${declared.pointer}/schema`)
      if (!validate(type === 'integer' ? Number(sent) : sent)) fail(`header ${name} is not ${String(sent)}`)
    }
  }
}

const mediaTypeOf = ({ headers }: RawAnswer): string => (headers['content-type'] ?? '').split(';', 1)[0] ?? ''

const expectDocumentedBody = (answer: RawAnswer, content: JsonObject, pointer: string): void => {
  const type = mediaTypeOf(answer)
  const named = content[type] === undefined ? '*/*' : type
  if (content[named] === undefined) return void fail(`it is ${Object.keys(content).join(', ')}, not ${type}`)
  if (type !== 'application/json' || named === '*/*' || answer.method === 'HEAD') return
  const { schema = null } = content[named] as JsonObject
  const shared = isJsonObject(schema) ? schema['$ref'] : undefined
  const validate = validatorAt(
    typeof shared === 'string' ? shared.slice(1) : `${pointer}/content/${escaped(named)}/schema`,
  )
  if (!validate(jsonOf(answer))) fail(JSON.stringify(validate.errors?.slice(0, 3)))
}

/** What was taken has to be what the document says can be sent; it may not tell less than there is. */
const expectDocumentedRequest = ({ status, sent }: RawAnswer, { path, method }: Endpoint): void => {
  const body = lookUp('paths', path, method.toLowerCase(), 'requestBody', 'content', 'application/json')
  if (body === null || status !== 200 || typeof sent !== 'string' || sent.trim() === '') return
  const validate = validatorAt(`${body.pointer}/schema`)
  if (!validate(JSON.parse(sent)))
    fail(`this can’t be sent: ${JSON.stringify(validate.errors?.slice(0, 3))} ${sent.slice(0, 300)}`)
}

const endpointOf = ({ method, path }: RawAnswer): Endpoint | undefined =>
  findRoute(path.split('?', 1)[0] ?? '')?.endpoints.get((method === 'HEAD' ? 'GET' : method) as Method)

/** Throws where an answer isn’t as the document says. What has no operation has nothing to be held to. */
export const expectDocumented = (answer: RawAnswer): void => {
  const endpoint = endpointOf(answer)
  if (endpoint === undefined) return
  const { status } = answer
  const response = lookUp('paths', endpoint.path, endpoint.method.toLowerCase(), 'responses', String(status))
  if (response === null) return void fail(`${endpoint.id} never answers ${status}`)
  expectDocumentedRequest(answer, endpoint)
  const { headers, content } = response.value
  expectDocumentedHeaders(answer, isJsonObject(headers) ? headers : {})
  if (isJsonObject(content)) expectDocumentedBody(answer, content, response.pointer)
  else if (answer.bytes.length > 0) fail(`${endpoint.id} has no body with ${status}`)
}
