/** Draws the operations with Swagger UI. */

/** Swagger UI, which its script defines. */
declare const SwaggerUIBundle: (options: Readonly<Record<string, unknown>>) => unknown

type OpenApi = {
  readonly components: { readonly securitySchemes: { readonly token: unknown } }
}

/**
 * Scripts are loaded from the folder of this one only, whose address the service does not know behind every proxy: not
 * from files of the same origin that users upload.
 */
const restrictScripts = (): void => {
  const policy = document.createElement('meta')
  policy.httpEquiv = 'Content-Security-Policy'
  policy.content = `script-src ${import.meta.url.replace(/[^/]*$/, '')}`
  document.head.append(policy)
}

/** The document for this page: the page may call its own origin only, and has no form for an API key. */
const readDocument = async () => {
  const response = await fetch('openapi.json')
  const { components, ...rest } = (await response.json()) as OpenApi
  const { token } = components.securitySchemes
  const service = new URL('.', document.baseURI).href.replace(/\/$/, '')
  return { ...rest, servers: [{ url: service }], components: { ...components, securitySchemes: { token } } }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const valueAt = (document: unknown, path: readonly string[]): unknown =>
  path.reduce((value: unknown, name) => (isObject(value) ? value[name] : undefined), document)

/** A value with what its references refer to in their places; a reference to what it is in remains. */
const withReferred = (document: unknown, value: unknown, within: readonly string[] = []): unknown => {
  if (Array.isArray(value)) return value.map((each) => withReferred(document, each, within))
  if (!isObject(value)) return value
  const { $ref: reference, ...own } = value
  if (typeof reference !== 'string')
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, withReferred(document, each, within)]),
    )
  if (within.includes(reference)) return value
  const referred = valueAt(document, reference.split('/').slice(1))
  const found = withReferred(document, referred, [...within, reference])
  // The renderer names a schema by this.
  return isObject(found) ? { ...found, ...own, $$ref: reference } : found
}

/** Prepares the operations that are opened. The renderer itself prepares all of them first, which takes many seconds. */
const resolveSubtree = async (document: unknown, path: readonly string[]) => ({
  spec: withReferred(document, valueAt(document, path)),
  errors: [],
})

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const nameOf = (field: Field): string => {
  const { paramName, propertyName } =
    field.closest<HTMLElement>('[data-param-name], [data-property-name]')?.dataset ?? {}
  if (field.matches('.examples-select-element')) return 'Example'
  return paramName ?? propertyName ?? (field.id || 'Body')
}

/** Names what the renderer draws without a name, and makes blocks that scroll focusable. */
const makeAccessible = (root: Element): void => {
  for (const field of root.querySelectorAll<Field>(':is(input, select, textarea):not([aria-label])'))
    if (field.labels?.length === 0) field.ariaLabel = nameOf(field)
  for (const button of root.querySelectorAll('.close-modal, .modal-btn.authorize'))
    button.ariaLabel = button.textContent || 'Close'
  for (const block of root.querySelectorAll<HTMLElement>('.microlight')) block.tabIndex = 0
}

restrictScripts()
const operations = document.querySelector('#operations')
if (operations !== null) {
  new MutationObserver(() => makeAccessible(operations)).observe(operations, {
    childList: true,
    subtree: true,
  })
  SwaggerUIBundle({
    spec: await readDocument(),
    domNode: operations,
    deepLinking: true,
    filter: true,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    validatorUrl: null,
    // Assistive technology does not find the link inside the button that opens an operation.
    plugins: [
      { fn: { resolveSubtree }, components: { DeepLink: ({ text }: { readonly text: unknown }) => text } },
    ],
  })
}
