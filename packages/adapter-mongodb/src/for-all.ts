const atOnce = 20

/** The results of work on each item, some at a time. Rejects only after all work has ended. */
export const forAll = async <A, B>(
  items: readonly A[],
  work: (item: A) => Promise<B>,
): Promise<readonly B[]> => {
  const results: B[] = []
  const left = items.entries()
  const workOn = async (): Promise<void> => {
    for (const [index, item] of left) results[index] = await work(item)
  }
  const ended = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, workOn))
  for (const each of ended) if (each.status === 'rejected') throw each.reason
  return results
}

/** The items by their groups, in their sequence. */
export const groupsOf = <A>(
  items: readonly A[],
  groupOf: (item: A) => string,
): readonly (readonly [A, ...A[]])[] => {
  const groups = new Map<string, [A, ...A[]]>()
  for (const item of items) {
    const group = groups.get(groupOf(item))
    if (group === undefined) groups.set(groupOf(item), [item])
    else group.push(item)
  }
  return [...groups.values()]
}
