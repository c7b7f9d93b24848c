/** Markup of pages. Text is escaped when it is inserted; the type `Html` marks what is already markup. */

export type Html = { readonly markup: string }

type Part = Html | string | number | readonly Html[]

const escaped: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const markupOf = (part: Part): string => {
  if (typeof part === 'string') return part.replaceAll(/[&<>"']/g, (character) => escaped[character] ?? '')
  if (typeof part === 'number') return String(part)
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('')
}

/** A template with inserted parts, each escaped unless it is markup. Safe for content and for quoted values. */
export const html = (literals: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  markup: literals.reduce((text, literal, index) => {
    const part = parts[index - 1]
    return `${text}${part === undefined ? '' : markupOf(part)}${literal}`
  }),
})

export const nothing: Html = { markup: '' }

/** A sentence of the declarations, with code in backticks as `code` elements. */
export const prose = (text: string): Html => ({
  markup: text
    .split('`')
    .map((piece, index) => (index % 2 === 0 ? html`${piece}` : html`<code>${piece}</code>`).markup)
    .join(''),
})

/** A request to copy, as a curl command and as JavaScript for a module or the console of a browser. */
export type Sample = { readonly id: string; readonly curl: string; readonly javascript: string }

const pane = (id: string, language: string, label: string, code: string, isFirst: boolean): Html =>
  html`<input
      type="radio"
      name="${id}"
      id="${id}-${language}"
      value="${language}"
      ${isFirst ? html` checked` : html``}
    /><label for="${id}-${language}">${label}</label>
    <pre data-language="${language}"><code>${code}</code></pre>`

/** Both versions in tabs that work without a script. */
export const sampleFigure = ({ id, curl, javascript }: Sample): Html =>
  html`<figure class="sample" id="sample-${id}">
    ${pane(id, 'curl', 'curl', curl, true)}${pane(id, 'javascript', 'JavaScript', javascript, false)}
  </figure>`

export const codeBlock = (code: string): Html => html`<pre><code>${code}</code></pre>`
