/** Fills values into the texts of a language. */

/** The forms of a text for numbers: `zero` for none, the others by the rules of the language (CLDR). */
export type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string }

type Values<Name extends string> = Readonly<Record<Name, string | number>>

export type FillIn = {
  /** A text with these placeholders. */
  readonly text: <Name extends string>(
    text: string,
    ...names: readonly Name[]
  ) => (values: Values<Name>) => string
  /** A text with the placeholder `{count}`, in the form for the number. */
  readonly plural: (forms: Forms) => (count: number) => string
}

/** `{name}` is replaced by a value, `{name, lower}` for one that begins with a small letter. */
export const placeholders = /\{(\w+)(, lower)?\}/g

export const fillIn = (language: string): FillIn => {
  const rules = new Intl.PluralRules(language)
  const text: FillIn['text'] =
    (template, ...names) =>
    (values) =>
      template.replace(placeholders, (placeholder, found: string, lower?: string) => {
        const name = names.find((each) => each === found)
        const value = name === undefined ? placeholder : String(values[name])
        return lower === undefined ? value : value.charAt(0).toLocaleLowerCase(language) + value.slice(1)
      })
  return {
    text,
    plural: (forms) => (count) => {
      const form = (count === 0 ? forms.zero : undefined) ?? forms[rules.select(count)] ?? forms.other
      return text(form, 'count')({ count })
    },
  }
}
