const commentsAndSlots = /<!--[^]*?-->|<slot(?:\s[^>]*)?>(?:\s*<\/slot\s*>)?/g

/** A valid body without its slot tags. Valid markup has no `>` or `<` in the value of a slot's attribute, a UUID. */
export const withoutSlots = (body: string): string =>
  body.replace(commentsAndSlots, (match) => (match.startsWith('<!') ? match : ''))
