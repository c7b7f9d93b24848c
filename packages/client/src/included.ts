import type { components } from './api.js'

type Schemas = components['schemas']

/** The names of the schemas of objects that others refer to. */
type IncludedKind = 'Blog' | 'Comment' | 'Content' | 'File' | 'Location' | 'Section' | 'Tag'

/** Attributes that included objects do not have, because they can be long or are counted. */
type LeftOut = 'included' | 'content' | 'print_description' | 'comments_count'

type Included<K extends IncludedKind> = Schemas[K] extends infer O
  ? O extends unknown
    ? Omit<O, LeftOut>
    : never
  : never

/** An object that `include` added to a response; undefined if it was deleted or the role does not see it. */
export const includedIn = <K extends IncludedKind>(
  { included }: { readonly included?: Readonly<Record<string, unknown>> },
  _kind: K,
  uuid: string | null,
): Included<K> | undefined => (uuid === null ? undefined : (included?.[uuid] as Included<K> | undefined))
