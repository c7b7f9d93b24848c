/** The errors of each operation as a collapsed list after its successful responses, with links to their explanations. */
import type { Element, Plugin, System } from './renderer.js'

type Response = { readonly description?: string }

/** The responses by status, as a map of the renderer. */
type Responses = {
  readonly filter: (keep: (response: unknown, status: string) => boolean) => Responses
  readonly toJS: () => Readonly<Record<string, Response>>
}

type Props = Readonly<Record<string, unknown>> & { readonly responses: Responses }

const isError = (status: string): boolean => Number(status) >= 400

/** Converts the codes at the start of each paragraph to links. */
const linked = (description: string, server: string): string =>
  description.replaceAll(/^`(\w+)`/gm, `[$1](${server}/docs/errors#$1)`)

const errorList = (responses: Responses, server: string, { React, getComponent }: System): Element | null => {
  const { createElement } = React
  const Markdown = getComponent('Markdown', true)
  const errors = Object.entries(responses.toJS())
  if (errors.length === 0) return null
  return createElement(
    'details',
    { className: 'errors' },
    createElement('summary', null, `Errors: ${errors.map(([status]) => status).join(', ')}`),
    createElement(
      'dl',
      { className: 'pairs' },
      ...errors.flatMap(([status, { description = '' }]) => [
        createElement('dt', { key: status }, status),
        createElement(
          'dd',
          { key: `${status}-description` },
          createElement(Markdown, { source: linked(description, server) }),
        ),
      ]),
    ),
  )
}

/** `server` is the address of the service without a slash at the end. */
export const operationErrors =
  (server: string): Plugin =>
  (system) => ({
    wrapComponents: {
      responses:
        (Original) =>
        (props: Props): Element =>
          system.React.createElement(
            'div',
            null,
            system.React.createElement(Original, {
              ...props,
              responses: props.responses.filter((_response, status) => !isError(status)),
            }),
            errorList(
              props.responses.filter((_response, status) => isError(status)),
              server,
              system,
            ),
          ),
    },
  })
