import { createFinalURL, createQuerySerializer, defaultPathSerializer } from 'openapi-fetch'
import type { components, paths } from './api.js'
import { readJson } from './service-error.js'

type ParametersOf<P extends keyof paths> = paths[P] extends {
  readonly get: { readonly parameters: infer Parameters }
}
  ? Parameters
  : never
type QueryOf<P extends keyof paths> =
  ParametersOf<P> extends { readonly query?: infer Query } ? NonNullable<Query> : never

/** The names that `fields` of a collection accepts. */
export type FieldOf<P extends keyof paths> =
  QueryOf<P> extends { readonly fields?: infer Fields }
    ? NonNullable<Fields> extends readonly (infer Field extends string)[]
      ? Field
      : never
    : never

/** The paths that return pages of rows. */
export type CollectionPath = {
  readonly [P in keyof paths]: [FieldOf<P>] extends [never] ? never : P
}[keyof paths]

type ObjectPath<P> = P extends '/{iid}/events' | '/{iid}/events/occurrences'
  ? '/{iid}/content/{uuid}'
  : P extends string
    ? Extract<`${P}/{uuid}`, keyof paths>
    : never
type ObjectAt<P extends keyof paths> = paths[P] extends {
  readonly get: { readonly responses: { 200: { content: { 'application/json': infer O } } } }
}
  ? O
  : never

/** Fields of rows that objects do not have. */
type RowFields = { readonly highlight: string | null; readonly tags: unknown }

/** The objects that a search finds, by the names of their types. */
type Searched = {
  readonly content: ObjectAt<'/{iid}/content/{uuid}'>
  readonly location: ObjectAt<'/{iid}/locations/{uuid}'>
  readonly tag: ObjectAt<'/{iid}/tags/{uuid}'>
  readonly file: ObjectAt<'/{iid}/files/{uuid}'>
}
type Named<O, Type> = O extends unknown ? Omit<O, 'type'> & { readonly type: Type } : never
type Found = { [Type in keyof Searched]: Named<Searched[Type], Type> }[keyof Searched]

type ObjectOf<P> = P extends '/{iid}/search' ? Found : ObjectAt<ObjectPath<P>>
/** An attribute of one type of object; null for a type without it, and where objects leave it out. */
type ValueIn<O, Field> = O extends unknown
  ? Field extends keyof O
    ? undefined extends O[Field]
      ? Exclude<O[Field], undefined> | null
      : O[Field]
    : null
  : never
type ValueOf<O, Field> = Field extends keyof RowFields
  ? RowFields[Field]
  : [ValueIn<O, Field>] extends [null]
    ? unknown
    : ValueIn<O, Field>

/**
 * The requested fields of an object; null if the object, or its type, has no value. Only in the row of an object whose
 * stored state is damaged, every field but `uuid` and `url` is null.
 */
export type Row<P extends CollectionPath, Field extends FieldOf<P>> = {
  readonly [Name in Field]: ValueOf<ObjectOf<P>, Name>
}

type PageBody = components['schemas']['Page']

/** A page of rows, and whether another one follows. */
export type RowPage<P extends CollectionPath, Field extends FieldOf<P>> = {
  readonly rows: readonly Row<P, Field>[]
  readonly more: boolean
  /** The objects that `include` names, by UUID; `includedIn` reads them. */
  readonly included: Readonly<Record<string, unknown>>
  /** The number of rows of all pages; null without `total`. */
  readonly total: NonNullable<PageBody['total']> | null
  /** The values of each facet that `facets` names, the most frequent first. */
  readonly facets: NonNullable<PageBody['facets']>
  /** False if counts of facets are estimated. */
  readonly facetsExact: boolean
}

/** The parameters of a path; those of the deployment, such as `/users`, have none. */
type PathOptions<P extends CollectionPath> =
  ParametersOf<P> extends { readonly path: infer Path extends Record<string, unknown> }
    ? { readonly path: Path }
    : { readonly path?: never }

export type RowsOptions<P extends CollectionPath, Field extends FieldOf<P>> = PathOptions<P> & {
  readonly query: Omit<QueryOf<P>, 'fields' | 'page'> & { readonly fields: readonly Field[] }
  readonly signal?: AbortSignal
}

export type PageOptions<P extends CollectionPath, Field extends FieldOf<P>> = RowsOptions<P, Field> & {
  readonly query: { readonly page?: number }
}

/** Lists are joined by commas: the service rejects parameters that are sent more than once. */
export const listFormat = { array: { style: 'form', explode: false } } as const

export const serializers = {
  querySerializer: createQuerySerializer(listFormat),
  pathSerializer: defaultPathSerializer,
}

/** One page of a collection. */
export const readPage = async <P extends CollectionPath, Field extends FieldOf<P>>(
  get: (url: string) => Promise<Response>,
  baseUrl: string,
  pathname: P,
  { path = {}, query }: PageOptions<P, Field>,
): Promise<RowPage<P, Field>> => {
  const url = createFinalURL(pathname, { baseUrl, params: { path, query }, ...serializers })
  const body = await readJson<PageBody>(await get(url))
  const { items, next, included = {}, total = null, facets = {}, facets_exact: facetsExact = true } = body
  const rows = items.map(
    (values) =>
      Object.fromEntries(query.fields.map((field, index) => [field, values[index]])) as Row<P, Field>,
  )
  return { rows, more: next !== undefined, included, total, facets, facetsExact }
}

/** Reads a collection page by page, and yields its rows as objects. */
export async function* readRows<P extends CollectionPath, Field extends FieldOf<P>>(
  get: (url: string) => Promise<Response>,
  baseUrl: string,
  pathname: P,
  options: RowsOptions<P, Field>,
): AsyncGenerator<Row<P, Field>, void, undefined> {
  for (let page = 1; ; page += 1) {
    const query = { rpp: 100, ...options.query, page }
    const { rows, more } = await readPage(get, baseUrl, pathname, { ...options, query })
    yield* rows
    if (!more) return
  }
}
