import type { JsonObject } from '@publishing-service/domain/json'

/** The depths of rows that are listed depth first, by UUID. A row whose parent is not listed has the depth 0. */
export const depthsIn = (rows: readonly JsonObject[], parentField: string): ReadonlyMap<string, number> => {
  const depths = new Map<string, number>()
  for (const row of rows) {
    const above = depths.get(String(row[parentField]))
    depths.set(String(row['uuid']), above === undefined ? 0 : above + 1)
  }
  return depths
}
