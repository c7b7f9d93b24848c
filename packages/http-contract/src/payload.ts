import type { Resource } from '@publishing-service/domain'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import type { Schema, Shape } from '@publishing-service/domain/declare'
import { hasRelations, type Queryable } from '@publishing-service/domain/lists'
import type { Composite } from '@publishing-service/domain/pages'

/** A shape with its name and description in documents. */
export type NamedShape = {
  readonly name: string
  readonly description: string
  readonly shape: Shape
  /** Whether it is read with the objects that `include` names. */
  readonly includes?: boolean
  /** The shape whose attributes it has too. Pages describe only the others. */
  readonly extends?: NamedShape
}

/** A value of a composed object: another object, a list of them, several lists by UUID, or a page of a list. */
export type Part = {
  readonly description: string
  readonly of: NamedShape | Pick<Composite<never, unknown>, 'name' | 'schema'>
  readonly as?: 'list' | 'lists by UUID' | 'page'
  readonly nullable?: true
}

/** One kind of a composed object. */
export type Kind = {
  readonly kind: string
  readonly description: string
  readonly properties: Readonly<Record<string, Schema>>
  readonly parts: Readonly<Record<string, Part>>
}

/** The content of a request or response. The attributes of an object depend on the direction. */
export type Payload =
  | { readonly _tag: 'Object'; readonly of: NamedShape }
  /** `{items: […]}`, with the attributes of `additional`. */
  | {
      readonly _tag: 'Items'
      readonly name: string
      readonly of: NamedShape
      readonly most?: number
      readonly additional?: NamedShape
      /** The boolean of `additional` for automatic lists: the service chooses the items and ignores those that are sent. */
      readonly chosenBy?: string
      /** Whether it is read with the objects that `include` names. */
      readonly includes?: boolean
      /** Attributes that are left out of an item if they are null. */
      readonly sparse?: readonly string[]
    }
  /** One page of rows with the values of `fields` (docs/behaviour/collections.md). */
  | { readonly _tag: 'Rows'; readonly of: Queryable }
  /** An object of several kinds, composed of other objects. The attribute `kind` says which. */
  | {
      readonly _tag: 'Kinds'
      readonly name: string
      readonly description: string
      readonly kinds: readonly Kind[]
    }
  /** An object with a fixed schema. */
  | { readonly _tag: 'Fixed'; readonly name: string; readonly schema: Schema }
  /** The value of one of the attributes. */
  | { readonly _tag: 'Value'; readonly of: NamedShape }
  /** A form, `application/x-www-form-urlencoded`. */
  | { readonly _tag: 'Form'; readonly name: string; readonly schema: Schema; readonly example: JsonObject }
  /** Bytes of any type. */
  | { readonly _tag: 'Data' }
  | { readonly _tag: 'Page' }
  /** A document in a format that is defined elsewhere, such as Atom. Its schema is used unchanged. */
  | {
      readonly _tag: 'Format'
      readonly mediaType: string
      readonly schema: Schema
      readonly example: Json
    }
  /** The OpenAPI document. */
  | { readonly _tag: 'Document' }

const json = 'application/json'

/** The types that a payload is sent as. */
export const mediaTypesOf = (payload: Payload): readonly string[] => {
  switch (payload._tag) {
    case 'Form':
      return ['application/x-www-form-urlencoded']
    case 'Data':
      // Generators choose the first: bytes of an unknown type.
      return ['application/octet-stream', '*/*']
    case 'Page':
      return ['text/html']
    case 'Format':
      return [payload.mediaType]
    default:
      return [json]
  }
}

/** Whether a payload is sent regardless of the header Accept: all but `application/json` (docs/behaviour/wire.md#accept). */
export const isAnyType = ({ responsePayload }: { readonly responsePayload: Payload }): boolean =>
  !mediaTypesOf(responsePayload).includes(json)

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
  includes: hasRelations(resource),
})
