/** What a browser may do with pages: load and call what the service itself has, and show images that a call answered. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * The Content-Security-Policy of every answer to a path of the documentation, be there something or not; null for all
 * other paths. The document for programs is nothing but shown.
 */
export const documentationPolicy = (path: string): string | null => {
  if (/^\/docs(?:\/|$)/.test(path)) return pagePolicy
  return /^\/openapi\.json\/?$/.test(path) ? "default-src 'none'" : null
}
