import type { PathRule } from '../path/public-path.js'

/** Content stands below its section (docs/behaviour/paths.md#public-path). */
export const contentPath: PathRule = { prefix: '/', section: 'section_uuid' }
