/** What a browser may do with the service’s own documentation: load and call what the service itself has, no more. */
export const documentationPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Whether a path is one of the documentation, be there something or not. */
export const isDocumentation = (path: string): boolean => /^\/(?:docs|openapi\.json)(?:\/|$)/.test(path)
