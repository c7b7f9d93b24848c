/** HTML in which every text is escaped. `trusted` is for markup that the service checked when it was written. */
export class Markup {
  constructor(readonly html: string) {}
}

export type Value = Markup | string | number | false | null | undefined | readonly Value[]

const entities: ReadonlyMap<string, string> = new Map(
  Object.entries({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }),
)

const render = (value: Value): string => {
  if (value instanceof Markup) return value.html
  if (typeof value === 'object' && value !== null) return value.map(render).join('')
  if (value === false || value === null || value === undefined) return ''
  return String(value).replace(/[&<>"']/g, (character) => entities.get(character) ?? character)
}

/** A template whose values are escaped, unless they are markup. Null, undefined and false are left out. */
export const markup = (texts: TemplateStringsArray, ...values: readonly Value[]): Markup =>
  new Markup(texts.map((text, index) => text + render(values[index])).join(''))

export const trusted = (html: string | null): Markup => new Markup(html ?? '')
