/** Draws the operations with Swagger UI, in the look of the other pages, with our sign-in in place of its own. */
import { operationSamples } from './operation-samples.js'
import type { Component, Plugin } from './renderer.js'
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
    curl: nothing,
    RequestSnippets: nothing,
  },
})

/** The place of `#/group/operation` or `#/group`, as soon as the renderer has drawn it. */
const scrollTo = (hash: string): void => {
  const [, group, operation] = hash.split('/')
  if (group === undefined) return
  const id = operation === undefined ? `operations-tag-${group}` : `operations-${group}-${operation}`
  const drawn = (): boolean => {
    const place = document.getElementById(id)
    place?.scrollIntoView()
    // Once more when what stands above it has its height.
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
  const tokenOf = offerSignIn(root)
  const answer = await fetch(`${root}openapi.json`)
  const document_ = (await answer.json()) as Readonly<Record<string, unknown>>
  const renderer = SwaggerUIBundle({
    spec: { ...document_, servers: [{ url: server }] },
    domNode: node,
    layout: 'ReferenceLayout',
    plugins: [ownFrame, operationSamples(server)],
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: -1,
    defaultModelExpandDepth: 2,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    validatorUrl: null,
    requestInterceptor: (request) => {
      const token = tokenOf()
      if (token !== null) request.headers['Authorization'] = `Bearer ${token}`
      return request
    },
  })
  // Its own way to scroll looks for a part that scrolls; here the page does, below a head that stays.
  const follow = (): void => {
    const hash = decodeURIComponent(window.location.hash)
    renderer.getSystem().layoutActions.parseDeepLinkHash(hash)
    scrollTo(hash)
  }
  window.addEventListener('hashchange', follow)
  scrollTo(decodeURIComponent(window.location.hash))
}

const node = document.querySelector<HTMLElement>('#operations')
if (node !== null) {
  followSystemTheme()
  void draw(node)
}
