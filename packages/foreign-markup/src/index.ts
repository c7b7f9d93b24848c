export { toBody, type Body, type BodyOptions, type FoundMedium } from './to-body.js'
export type { Change, ChangeKind } from './changes.js'
export type { Medium, Placement } from './media.js'
