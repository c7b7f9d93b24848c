/** The errors of each operation as a closed list after its good answers, each with the way to its explanation. */
import type { Element, Plugin, System } from './renderer.js'

type Response = { readonly description?: string }

/** What the renderer passes on: its own map of the answers, by status. */
type Responses = {
  readonly filter: (keep: (response: unknown, status: string) => boolean) => Responses
  readonly toJS: () => Readonly<Record<string, Response>>
}

type Props = Readonly<Record<string, unknown>> & { readonly responses: Responses }

const isError = (status: string): boolean => Number(status) >= 400

/** The codes at the start of each paragraph become links. */
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
