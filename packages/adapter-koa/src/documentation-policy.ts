/** What a browser may do with the service’s own documentation: nothing but show it. */
export const documentationPolicy = "default-src 'none'"
