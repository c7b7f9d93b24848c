/** JSON values, and checks of them. Each check throws an Error that names the place of the value, as in `tags.json[3].id`. */

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export type JsonObject = { readonly [name: string]: Json }

/** Returns the value at a place with its type, or throws an Error. An absent value is undefined. */
export type Check<A> = (value: Json | undefined, place: string) => A

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !isList(value)

export const text: Check<string> = (value, place) => {
  if (typeof value !== 'string' || value === '')
    throw new Error(`${place} must be a text of at least one character`)
  return value
}

const uuidPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

export const uuid: Check<string> = (value, place) => {
  if (typeof value !== 'string' || !uuidPattern.test(value))
    throw new Error(`${place} must be a UUID in lower case`)
  return value
}

export const boolean: Check<boolean> = (value, place) => {
  if (typeof value !== 'boolean') throw new Error(`${place} must be true or false`)
  return value
}

export const object: Check<JsonObject> = (value, place) => {
  if (!isObject(value)) throw new Error(`${place} must be an object`)
  return value
}

export const listOf =
  <A>(check: Check<A>): Check<readonly A[]> =>
  (value, place) => {
    if (!isList(value)) throw new Error(`${place} must be a list`)
    return value.map((item, index) => check(item, `${place}[${index}]`))
  }

/** An object whose values all have one type, under any names. */
export const recordOf =
  <A>(check: Check<A>): Check<Readonly<Record<string, A>>> =>
  (value, place) =>
    Object.fromEntries(
      Object.entries(object(value, place)).map(([name, each]) => [name, check(each, `${place}.${name}`)]),
    )

/** The value, or the fallback where it is absent. */
export const optional =
  <A, B>(check: Check<A>, fallback: B): Check<A | B> =>
  (value, place) =>
    value === undefined ? fallback : check(value, place)

type Field = <A>(name: string, check: Check<A>) => A

/** An object with the fields that `build` reads, and no others. */
export const fieldsOf =
  <A>(build: (field: Field) => A): Check<A> =>
  (value, place) => {
    const fields = object(value, place)
    const accepted = new Set<string>()
    const result = build((name, check) => {
      accepted.add(name)
      return check(fields[name], `${place}.${name}`)
    })
    for (const name of Object.keys(fields))
      if (!accepted.has(name))
        throw new Error(`${place}.${name} is not accepted: the fields are ${[...accepted].join(', ')}`)
    return result
  }
