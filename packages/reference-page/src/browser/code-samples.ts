/** A request as a curl command, and as JavaScript for a module or the console of a browser. */

export type SampleRequest = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Whether it sends the token, which is in a variable in both languages. */
  readonly token: boolean
  readonly body?: string
  /** The fields of a form, instead of a body. */
  readonly form?: Readonly<Record<string, string>>
  /** The name of a file to send instead of a body. */
  readonly file?: string
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

export const curlOf = ({ method, url, headers, token, body, form, file }: SampleRequest): string => {
  const usual = body !== undefined || form !== undefined || file !== undefined ? 'POST' : 'GET'
  return [
    `curl -sS${method === usual ? '' : ` -X ${method}`} ${quoted(url)}`,
    ...(token ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
    ...Object.entries(form ?? {}).map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`),
    ...(file === undefined ? [] : [`--data-binary ${quoted(`@${file}`)}`]),
  ].join(' \\\n  ')
}

const literal = (text: string): string =>
  `'${text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", String.raw`\'`)
    .replaceAll('\n', String.raw`\n`)}'`

const keyOf = (name: string): string => (/^[a-z_$][\w$]*$/i.test(name) ? name : literal(name))

const record = (entries: readonly (readonly [string, string])[], indent: string): string =>
  `{\n${entries.map(([name, value]) => `${indent}  ${keyOf(name)}: ${value},\n`).join('')}${indent}}`

const jsonBody = (body: string): string => {
  try {
    return `JSON.stringify(${JSON.stringify(JSON.parse(body), null, 2).replaceAll('\n', '\n  ')})`
  } catch {
    // Incomplete input may not be JSON yet.
    return literal(body)
  }
}

const bodyOf = ({ body, form, file }: SampleRequest): readonly (readonly [string, string])[] => {
  if (body !== undefined) return [['body', jsonBody(body)]]
  if (file !== undefined)
    return [['body', `await (await import('node:fs/promises')).readFile(${literal(file)})`]]
  if (form === undefined) return []
  const fields = Object.entries(form).map(([name, value]) => [name, literal(value)] as const)
  return [['body', `new URLSearchParams(${record(fields, '  ')})`]]
}

export const javascriptOf = (request: SampleRequest): string => {
  const { method, url, headers, token } = request
  const sent = [
    ...(token ? [['Authorization', '`Bearer ${token}`'] as const] : []),
    ...Object.entries(headers).map(([name, value]) => [name, literal(value)] as const),
  ]
  const options = [
    ...(method === 'GET' ? [] : [['method', literal(method)] as const]),
    ...(sent.length === 0 ? [] : [['headers', record(sent, '  ')] as const]),
    ...bodyOf(request),
  ]
  const call =
    options.length === 0 ? `fetch(${literal(url)})` : `fetch(${literal(url)}, ${record(options, '')})`
  return `const response = await ${call}\nconsole.log(response.status, await response.text())`
}
