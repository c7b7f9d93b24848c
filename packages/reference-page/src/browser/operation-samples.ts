/** Shows each operation as a command with the current values of its fields, before its responses. */
import { curlOf, javascriptOf, type SampleRequest } from './code-samples.js'
import type { Component, Element, Plugin, System } from './renderer.js'
import { chosenLanguage } from './samples.js'

type PathAndMethod = { readonly path: string; readonly method: string }

type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly example?: unknown
  readonly schema?: Schema
}

type Schema = {
  readonly type?: unknown
  readonly format?: string
  readonly minimum?: number
  readonly enum?: readonly unknown[]
  readonly example?: unknown
  readonly examples?: readonly unknown[]
}

type Media = {
  readonly schema?: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>
}

type Operation = {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content?: Readonly<Record<string, Media>> }
  readonly security?: readonly Readonly<Record<string, unknown>>[]
}

const someUuid = '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11'

/** An example of a parameter of the path, for an empty field. */
const exampleOf = ({ example, schema = {} }: Parameter): string => {
  const chosen = example ?? schema.example ?? schema.examples?.[0] ?? schema.enum?.[0]
  if (chosen !== undefined) return String(chosen)
  return schema.format === 'uuid' ? someUuid : String(schema.minimum ?? 1)
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value))

const urlOf = (
  server: string,
  path: string,
  parameters: readonly Parameter[],
  valueOf: (parameter: Parameter) => unknown,
): string => {
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, parameter) => {
      const value = valueOf(parameter)
      const shown = isEmpty(value) ? exampleOf(parameter) : textOf(value)
      return text.replace(`{${parameter.name}}`, encodeURIComponent(shown))
    }, path)
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && !isEmpty(valueOf(parameter)))
    .map(
      (parameter) =>
        `${parameter.name}=${encodeURIComponent(textOf(valueOf(parameter))).replaceAll('%2C', ',')}`,
    )
    .join('&')
  return `${server}${filled}${query === '' ? '' : `?${query}`}`
}

const exampleBody = (media: Media, type: string, { fn }: System): unknown =>
  media.example ??
  Object.values(media.examples ?? {})[0]?.value ??
  fn.getSampleSchema(media.schema ?? {}, type, { includeWriteOnly: true })

const bodyOf = (
  operation: Operation,
  { path, method }: PathAndMethod,
  system: System,
): Partial<SampleRequest> => {
  const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  if (type === undefined || media === undefined) return {}
  const typed = system.oas3Selectors.requestBodyValue(path, method)
  if (type === 'application/x-www-form-urlencoded')
    return { form: { grant_type: 'client_credentials', api_key: 'YOUR_KEY', api_secret: 'YOUR_SECRET' } }
  if (!type.includes('json')) return { file: 'photograph.jpg', headers: { 'Content-Type': 'image/jpeg' } }
  const example = exampleBody(media, type, system)
  const body =
    typeof typed === 'string'
      ? typed
      : typeof example === 'string'
        ? example
        : JSON.stringify(example, null, 2)
  return { body, headers: { 'Content-Type': type } }
}

/** The request with the current values; null until the renderer has read the operation. */
const requestOf = (key: PathAndMethod, system: System, server: string): SampleRequest | null => {
  const { path, method } = key
  const operation = system.specSelectors.specResolvedSubtree(['paths', path, method])?.toJS() as
    Operation | undefined
  if (operation === undefined) return null
  const { parameters = [], security = [] } = operation
  const values = system.specSelectors.parameterValues([path, method]).toJS() as Readonly<
    Record<string, unknown>
  >
  const valueOf = (parameter: Parameter): unknown => values[`${parameter.in}.${parameter.name}`]
  const sent = parameters.filter((parameter) => parameter.in === 'header' && !isEmpty(valueOf(parameter)))
  const { headers, ...body } = bodyOf(operation, key, system)
  return {
    method: method.toUpperCase(),
    url: urlOf(server, path, parameters, valueOf),
    token: security.length > 0,
    headers: {
      ...headers,
      ...Object.fromEntries(sent.map((parameter) => [parameter.name, textOf(valueOf(parameter))])),
    },
    ...body,
  }
}

const languages = [
  { value: 'curl', label: 'curl', make: curlOf },
  { value: 'javascript', label: 'JavaScript', make: javascriptOf },
] as const

const figure = (request: SampleRequest, id: string, { React: { createElement } }: System): Element => {
  const panes = languages.flatMap(({ value, label, make }) => {
    const code = make(request)
    const copy = createElement(
      'button',
      {
        key: 'copy',
        type: 'button',
        className: 'copy',
        onClick: () => void navigator.clipboard.writeText(code),
      },
      'Copy',
    )
    return [
      createElement('input', {
        key: `${value}-input`,
        type: 'radio',
        name: id,
        id: `${id}-${value}`,
        value,
        defaultChecked: value === chosenLanguage(),
      }),
      createElement('label', { key: `${value}-label`, htmlFor: `${id}-${value}` }, label),
      createElement(
        'pre',
        { key: value, 'data-language': value },
        createElement('code', null, code),
        window.isSecureContext ? copy : null,
      ),
    ]
  })
  return createElement('figure', { className: 'sample' }, ...panes)
}

const idOf = ({ path, method }: PathAndMethod): string => `${method}${path.replaceAll(/[^a-z]+/gi, '-')}`

/** `server` is the address of the service without a slash at the end. */
export const operationSamples =
  (server: string): Plugin =>
  (system) => {
    const { createElement } = system.React
    const OperationSamples: Component<PathAndMethod & System> = (props) => {
      const request = requestOf(props, props, server)
      return request === null ? null : figure(request, idOf(props), { ...props, React: system.React })
    }
    return {
      components: { OperationSamples },
      wrapComponents: {
        responses:
          (Original) =>
          (props: PathAndMethod & Readonly<Record<string, unknown>>): Element =>
            createElement(
              'div',
              null,
              createElement(system.getComponent('OperationSamples', true), {
                path: props.path,
                method: props.method,
              }),
              createElement(Original, props),
            ),
      },
    }
  }
