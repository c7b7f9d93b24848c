/** Draws the operations with Swagger UI, in the style of the other pages and with a different sign-in. */
import { executeWithToken } from './execute-with-token.js'
import { targetOf } from './follow-scroll.js'
import { labelFields } from './label-fields.js'
import { operationErrors } from './operation-errors.js'
import { operationSamples } from './operation-samples.js'
import type { Child, Component, Plugin } from './renderer.js'
import { addSignIn } from './sign-in.js'

const nothing: Component = () => null

/** Shows only the operations. The other parts of the renderer are elsewhere on the page or not needed. */
const operationsOnly: Plugin = ({ React, getComponent }) => ({
  components: {
    ReferenceLayout: () =>
      React.createElement(
        'div',
        { className: 'swagger-ui' },
        React.createElement(getComponent('operations', true), null),
      ),
    authorizeBtn: nothing,
    authorizeOperationBtn: nothing,
    // A link inside the button that opens an operation is not accessible. The address changes without it.
    DeepLink: ({ text }: { readonly text: Child }) => React.createElement('span', null, text),
    curl: nothing,
    RequestSnippets: nothing,
  },
})

/** Scrolls to `#/group/operation` or `#/group` once the renderer has drawn it. */
const scrollTo = (hash: string): void => {
  if (!hash.startsWith('#/')) return
  const drawn = (): boolean => {
    const target = targetOf(hash)
    target?.scrollIntoView()
    // Again, when the elements above it have their final height.
    if (target !== null) setTimeout(() => target.scrollIntoView(), 400)
    return target !== null
  }
  if (drawn()) return
  const observer = new MutationObserver(() => {
    if (drawn()) observer.disconnect()
  })
  observer.observe(document.body, { childList: true, subtree: true })
}

const followSystemTheme = (): void => {
  const dark = window.matchMedia('(prefers-color-scheme: dark)')
  const apply = (): void => void document.documentElement.classList.toggle('dark-mode', dark.matches)
  dark.addEventListener('change', apply)
  apply()
}

const draw = async (node: HTMLElement): Promise<void> => {
  const root = document.documentElement.dataset['root'] ?? './'
  // The service at the address of this page, since a page may call no other host.
  const server = new URL(root, document.baseURI).href.replace(/\/$/, '')
  const signIn = addSignIn(root)
  const response = await fetch(`${root}openapi.json`)
  const document_ = (await response.json()) as Readonly<Record<string, unknown>>
  const renderer = SwaggerUIBundle({
    spec: { ...document_, servers: [{ url: server }] },
    domNode: node,
    layout: 'ReferenceLayout',
    plugins: [operationsOnly, operationSamples(server), operationErrors(server), executeWithToken(signIn)],
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: -1,
    defaultModelExpandDepth: 2,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    validatorUrl: null,
    requestInterceptor: (request) => {
      const token = signIn.token()
      if (token !== null) request.headers['Authorization'] = `Bearer ${token}`
      return request
    },
  })
  labelFields(node)
  // The renderer scrolls an inner element; here the page scrolls, below a fixed header.
  const follow = (): void => {
    const hash = window.location.hash
    renderer.getSystem().layoutActions.parseDeepLinkHash(decodeURIComponent(hash))
    scrollTo(hash)
  }
  window.addEventListener('hashchange', follow)
  scrollTo(window.location.hash)
}

const node = document.querySelector<HTMLElement>('#operations')
if (node !== null) {
  followSystemTheme()
  void draw(node)
}
