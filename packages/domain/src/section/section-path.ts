import type { PathRule } from '../path/public-path.js'

/** The public path of a section is below that of its parent (docs/behaviour/paths.md#public-path). */
export const sectionPath = { prefix: '/', section: 'parent_uuid' } as const satisfies PathRule
