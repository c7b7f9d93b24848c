/** Sections as a tree, and the changes that move a section in it. */

export type SectionRow = {
  readonly uuid: string
  readonly title: string
  readonly parent: string | null
  readonly ord: number | null
  readonly isHidden: boolean
  /** On the website. */
  readonly path: string | null
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

/** A change of one section, as it was when it was moved. */
export type SectionChange = {
  readonly section: SectionRow
  readonly changes: { readonly ord: number; readonly parent_uuid?: string | null }
}

/** The changes after which these siblings are in this order: those of sections that have another position now. */
export const reordered = (siblings: readonly SectionRow[]): readonly SectionChange[] =>
  siblings.flatMap((section, index) =>
    section.ord === index + 1 ? [] : [{ section, changes: { ord: index + 1 } }],
  )

/** The change that makes a section the last one below a parent. */
export const movedBelow = (
  section: SectionRow,
  parent: string | null,
  siblings: readonly SectionRow[],
): SectionChange => {
  const last = Math.max(0, ...siblings.map(({ ord }) => ord ?? 0))
  return { section, changes: { parent_uuid: parent, ord: last + 1 } }
}

const position = ({ ord }: SectionRow): number => ord ?? Number.MAX_SAFE_INTEGER

/** The rows after the changes, in the order of `ord`. */
export const withChanges = (
  rows: readonly SectionRow[],
  changes: readonly SectionChange[],
): readonly SectionRow[] => {
  const changed = new Map(changes.map((change) => [change.section.uuid, change.changes]))
  return rows
    .map((row) => {
      const { ord = row.ord, parent_uuid: parent = row.parent } = changed.get(row.uuid) ?? {}
      return { ...row, ord, parent }
    })
    .toSorted((a, b) => position(a) - position(b))
}
