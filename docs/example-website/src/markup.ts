/** HTML in which every text is escaped. */
export class Markup {
  constructor(readonly html: string) {}
}

export type Value = Markup | string | number | false | null | undefined | readonly Value[]

const render = (value: Value): string => {
  if (value instanceof Markup) return value.html
  if (typeof value === 'object' && value !== null) return value.map(render).join('')
  if (value === false || value === null || value === undefined) return ''
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
}

/** A template whose values are escaped, unless they are markup. Null, undefined and false are left out. */
export const markup = (texts: TemplateStringsArray, ...values: readonly Value[]): Markup =>
  new Markup(texts.map((text, index) => text + render(values[index])).join(''))

/** Markup that the service checked when it was written. */
export const trusted = (html: string | null): Markup => new Markup(html ?? '')
