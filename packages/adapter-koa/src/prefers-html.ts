import type { Context } from 'koa'

/** Whether a client accepts HTML at all. */
export const acceptsHtml = (context: Context): boolean => context.accepts('text/html') !== false

/** Whether a client prefers HTML to JSON, as browsers do. */
export const prefersHtml = (context: Context): boolean =>
  context.accepts('application/json', 'text/html') === 'text/html'
