/** Draws the operations with Swagger UI, in the look of the other pages, with our sign-in in place of its own. */
import { executeWithToken } from './execute-with-token.js'
import { placeOf } from './follow-scroll.js'
import { labelFields } from './label-fields.js'
import { operationErrors } from './operation-errors.js'
import { operationSamples } from './operation-samples.js'
import type { Child, Component, Plugin } from './renderer.js'
import { offerSignIn } from './sign-in.js'

const nothing: Component = () => null

/** Only the operations: what else the renderer shows stands elsewhere on the page, or is of no use here. */
const ownFrame: Plugin = ({ React, getComponent }) => ({
  components: {
    ReferenceLayout: () =>
      React.createElement(
        'div',
        { className: 'swagger-ui' },
        React.createElement(getComponent('operations', true), null),
      ),
    authorizeBtn: nothing,
    authorizeOperationBtn: nothing,
    // Its link within the button that opens an operation can’t be reached by all; the address changes without it.
    DeepLink: ({ text }: { readonly text: Child }) => React.createElement('span', null, text),
    curl: nothing,
    RequestSnippets: nothing,
  },
})

/** Scrolls to `#/group/operation` or `#/group` as soon as the renderer has drawn it. */
const scrollTo = (hash: string): void => {
  if (!hash.startsWith('#/')) return
  const drawn = (): boolean => {
    const place = placeOf(hash)
    place?.scrollIntoView()
    // Once more when what is above it has its height.
    if (place !== null) setTimeout(() => place.scrollIntoView(), 400)
    return place !== null
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
  // The service under the address of this page, whatever its links name: only that may a page call.
  const server = new URL(root, document.baseURI).href.replace(/\/$/, '')
  const signIn = offerSignIn(root)
  const answer = await fetch(`${root}openapi.json`)
  const document_ = (await answer.json()) as Readonly<Record<string, unknown>>
  const renderer = SwaggerUIBundle({
    spec: { ...document_, servers: [{ url: server }] },
    domNode: node,
    layout: 'ReferenceLayout',
    plugins: [ownFrame, operationSamples(server), operationErrors(server), executeWithToken(signIn)],
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
  // Its own way to scroll looks for a part that scrolls; here the page does, below a head that stays.
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
