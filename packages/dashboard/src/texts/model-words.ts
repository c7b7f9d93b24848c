/** Words for what the model names: attributes and filters, their help, and the words of enumerations. */
export type ModelWords = {
  readonly attributes: Readonly<Record<string, string>>
  /** Where an attribute needs more than its label, and in English another text than the description of the API. */
  readonly help: Readonly<Record<string, string>>
  readonly values: Readonly<Record<string, string>>
}

/** A label made from a name such as `meta_title`. */
export const readable = (name: string): string => {
  const words = name.replace(/_(uuid|uuids)$/, '').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
