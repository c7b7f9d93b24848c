import type { PathRule } from '../path/public-path.js'

/** The public path of content is below that of its section (docs/behaviour/paths.md#public-path). */
export const contentPath = {
  prefix: '/',
  section: 'section_uuid',
  listedBy: 'live_from',
} as const satisfies PathRule
