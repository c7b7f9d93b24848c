/** Texts and values in HTML, which cannot end where they are. */

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text for the content of an element, or for a value in quotes. */
export const escapeHtml = (text: string): string => {
  let escaped = ''
  for (const character of text) escaped += references[character] ?? character
  return escaped
}

/** Attributes for a start tag, each with a space before it. Those without a value are left out. */
export const htmlAttributes = (
  attributes: Readonly<Record<string, string | number | null | undefined>>,
): string => {
  let html = ''
  for (const [name, value] of Object.entries(attributes))
    if (value !== null && value !== undefined) html += ` ${name}="${escapeHtml(String(value))}"`
  return html
}
