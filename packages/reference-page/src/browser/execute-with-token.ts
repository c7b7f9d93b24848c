/** Makes “Execute” show the key form if an operation needs a token and there is none. */
import type { Plugin } from './renderer.js'
import type { SignIn } from './sign-in.js'

/** The operation that the key form calls; the key in its example is not valid. */
const tokenPath = '/oauth/token'

type Operation = { readonly security?: readonly Readonly<Record<string, unknown>>[] }

type Props = Readonly<Record<string, unknown>> & { readonly path: string; readonly method: string }

/** The security requirements of an operation that needs no token contain an empty one. */
const needsToken = ({ security = [] }: Operation): boolean =>
  security.length > 0 && security.every((requirement) => Object.keys(requirement).length > 0)

export const executeWithToken =
  ({ token, requestToken }: SignIn): Plugin =>
  (system) => ({
    wrapComponents: {
      execute: (Original) => (props: Props) => {
        const operation = system.specSelectors
          .specResolvedSubtree(['paths', props.path, props.method])
          ?.toJS() as Operation | undefined
        const onClickCapture = (event: Event): void => {
          const isMissing = token() === null && operation !== undefined && needsToken(operation)
          if (!isMissing && props.path !== tokenPath) return
          event.preventDefault()
          event.stopPropagation()
          if (event.target instanceof HTMLElement) requestToken(event.target)
        }
        const { createElement } = system.React
        return createElement('div', { onClickCapture }, createElement(Original, props))
      },
    },
  })
