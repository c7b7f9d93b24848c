import type { PathRule } from '../path/public-path.js'

/** Content stands below its section (decisions §7). */
export const contentPath: PathRule = { prefix: '/', section: 'section_uuid' }
