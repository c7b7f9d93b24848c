import type { Queryable, Resource, Schema, Shape } from '@publishing-service/domain'

/** Something with attributes, and what documents call it. */
export type NamedShape = { readonly name: string; readonly description: string; readonly shape: Shape }

/** What a request brings or an answer holds. Which attributes an object has follows from which of both it is. */
export type Payload =
  | { readonly _tag: 'Object'; readonly of: NamedShape }
  /** `{items: […]}`, with the attributes of `beside` next to it. */
  | {
      readonly _tag: 'Items'
      readonly name: string
      readonly of: NamedShape
      readonly most?: number
      readonly beside?: NamedShape
      /** The boolean of `beside` that says that the service chooses the items: those sent are ignored then. */
      readonly chosenBy?: string
      /** Left out of an item where they are null. */
      readonly sparse?: readonly string[]
    }
  /** One page of rows, with the values that `fields` asks for (docs/behaviour/collections.md). */
  | { readonly _tag: 'Rows'; readonly of: Queryable }
  /** What is the same for everything it is about. */
  | { readonly _tag: 'Fixed'; readonly name: string; readonly schema: Schema }
  /** The value of one of the attributes, alone. */
  | { readonly _tag: 'Value'; readonly of: NamedShape }
  /** A form, `application/x-www-form-urlencoded`. */
  | { readonly _tag: 'Form'; readonly name: string; readonly schema: Schema }
  /** Bytes of any type. */
  | { readonly _tag: 'Data' }
  | { readonly _tag: 'Page' }
  /** The document of the API itself. */
  | { readonly _tag: 'Document' }

/** `tag category` → `TagCategory`. */
export const pascalCase = (words: string): string =>
  words
    .split(/[\s_]+/)
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join('')

export const namedResource = (resource: Resource): NamedShape => ({
  name: pascalCase(resource.name),
  description: resource.description,
  shape: resource,
})
