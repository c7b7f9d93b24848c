/** One error of an input: where (dotted path, empty for the whole) and what is accepted. */
export type Fault = { readonly path: string; readonly message: string }

export const fault = (path: string, message: string): Fault => ({ path, message })

const join = (outer: string, inner: string): string => (inner === '' ? outer : `${outer}.${inner}`)

/**
 * The faults or references of a part, with paths from the whole: `embed_code` within `items.2` is `items.2.embed_code`.
 */
export const within = <A extends { readonly path: string }>(
  path: string | number,
  parts: readonly A[],
): readonly A[] => parts.map((inner) => ({ ...inner, path: join(String(path), inner.path) }))

const wholesOf = (path: string): readonly string[] =>
  [...path.matchAll(/\./g)].map(({ index }) => path.slice(0, index))

/**
 * The first fault of each path: error_info has one entry per attribute (docs/behaviour/writing.md#all-faults). Faults of
 * a whole are dropped after a fault of one of its parts.
 */
export const firstPerPath = (faults: readonly Fault[]): readonly Fault[] => {
  const covered = new Set<string>()
  const first: Fault[] = []
  for (const each of faults) {
    if (covered.has(each.path)) continue
    first.push(each)
    for (const path of [each.path, ...wholesOf(each.path)]) covered.add(path)
  }
  return first
}
