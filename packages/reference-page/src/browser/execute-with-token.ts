/** “Execute” leads to the key form where an operation needs a token and there is none. */
import type { Plugin } from './renderer.js'
import type { SignIn } from './sign-in.js'

/** The operation that the key form itself calls; its example holds no key that the service knows. */
const tokenPath = '/oauth/token'

type Operation = { readonly security?: readonly Readonly<Record<string, unknown>>[] }

type Props = Readonly<Record<string, unknown>> & { readonly path: string; readonly method: string }

/** An operation that also takes requests without a token lists an empty way. */
const needsToken = ({ security = [] }: Operation): boolean =>
  security.length > 0 && security.every((way) => Object.keys(way).length > 0)

export const executeWithToken =
  ({ token, askFor }: SignIn): Plugin =>
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
          if (event.target instanceof HTMLElement) askFor(event.target)
        }
        const { createElement } = system.React
        return createElement('div', { onClickCapture }, createElement(Original, props))
      },
    },
  })
