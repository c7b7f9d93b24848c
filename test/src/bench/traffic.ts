/**
 * The requests that a row sends, as data for every driver. `{serial}` is a number of twelve digits that no other request
 * of the run has; `{turn}` is the next of `turns`.
 */
export type Traffic = {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly turns: readonly string[]
}

export type Request = Pick<Traffic, 'method' | 'path' | 'headers' | 'body'>

const serialDigits = 12

/** Request number `serial` of a row. */
export const requestAt = ({ method, path, headers, body, turns }: Traffic, serial: number): Request => {
  const digits = String(serial).padStart(serialDigits, '0')
  const turn = turns[serial % turns.length] ?? ''
  const filled = (template: string): string =>
    template.replaceAll('{serial}', digits).replaceAll('{turn}', turn)
  return { method, headers, path: filled(path), body: body === null ? null : filled(body) }
}

/** Whether all requests of a row are the same. */
export const isConstant = ({ path, body }: Traffic): boolean =>
  !/\{(?:serial|turn)\}/.test(`${path}${body ?? ''}`)
