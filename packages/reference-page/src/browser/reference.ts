/** Draws the operations with Swagger UI, in the look of the other pages, with our sign-in in place of its own. */
import { operationSamples } from './operation-samples.js'
import type { Component, Plugin } from './renderer.js'
import { offerSignIn } from './sign-in.js'

const nothing: Component = () => null

/** Only the operations: what else the renderer shows stands elsewhere on the page, or is of no use here. */
const ownFrame: Plugin = ({ React, getComponent }) => ({
  components: {
    ReferenceLayout: () =>
      React.createElement('div', { className: 'swagger-ui' }, React.createElement(getComponent('operations', true), null)),
    authorizeBtn: nothing,
    authorizeOperationBtn: nothing,
    curl: nothing,
    RequestSnippets: nothing,
  },
})

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
  window.addEventListener('hashchange', () =>
    renderer.getSystem().layoutActions.parseDeepLinkHash(window.location.hash),
  )
}

const node = document.querySelector<HTMLElement>('#operations')
if (node !== null) {
  followSystemTheme()
  void draw(node)
}
