/** Sections as a tree, and the changes that move a section in it. */

export type SectionRow = {
  readonly uuid: string
  readonly title: string
  readonly parent: string | null
  readonly ord: number | null
  readonly isHidden: boolean
}

export type SectionNode = SectionRow & { readonly children: readonly SectionNode[] }

/** A section whose parent is not in the list is at the top. The rows are in the order of `ord`. */
export const treeOf = (rows: readonly SectionRow[]): readonly SectionNode[] => {
  const known = new Set(rows.map(({ uuid }) => uuid))
  const below = (parent: string | null): readonly SectionNode[] =>
    rows
      .filter((row) => (row.parent !== null && known.has(row.parent) ? row.parent : null) === parent)
      .map((row) => ({ ...row, children: below(row.uuid) }))
  return below(null)
}

/** A change of one section. */
export type SectionChange = {
  readonly uuid: string
  readonly changes: { readonly ord: number; readonly parent_uuid?: string | null }
}

/** The changes after which these siblings are in this order: those of sections that have another position now. */
export const reordered = (siblings: readonly SectionRow[]): readonly SectionChange[] =>
  siblings.flatMap(({ uuid, ord }, index) =>
    ord === index + 1 ? [] : [{ uuid, changes: { ord: index + 1 } }],
  )

/** The change that makes a section the last one below a parent. */
export const movedBelow = (
  { uuid }: SectionRow,
  parent: string | null,
  siblings: readonly SectionRow[],
): SectionChange => {
  const last = Math.max(0, ...siblings.map(({ ord }) => ord ?? 0))
  return { uuid, changes: { parent_uuid: parent, ord: last + 1 } }
}
