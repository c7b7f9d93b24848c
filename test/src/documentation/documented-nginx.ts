/** The nginx that docs/run-in-production.md describes. */
import { startNginx, type ServerProcess } from '../../servers/dist/index.js'
import { blocksOf, readDocument } from './documents.js'

/** Replaces each match, in turn by the values. Throws if there is none. */
const replaced = (text: string, pattern: RegExp, ...values: readonly string[]): string => {
  let count = 0
  const result = text.replaceAll(pattern, () => values[count++ % values.length] ?? '')
  if (count === 0) throw new Error(`the documented configuration has no ${pattern}`)
  return result
}

/**
 * Starts it as it is printed, but without TLS, on another port, and before the services at these addresses (host:port). `more`
 * is put before it.
 */
export const startDocumentedNginx = (services: readonly string[], more = ''): Promise<ServerProcess> => {
  const block = blocksOf(readDocument('docs/run-in-production.md')).find(
    ({ language }) => language === 'nginx',
  )
  const before = replaced(block?.text ?? '', /127\.0\.0\.1:808\d/g, ...services)
  return startNginx((address) => `${more}\n${replaced(before, /443 ssl/g, address)}`)
}
