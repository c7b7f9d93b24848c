/** Generated values for property tests, with fast-check. */
import fc from 'fast-check'
import { roles, type Role } from '../role/permissions.js'

export { anyCharacter, legalMarkup } from './legal-markup.js'
export * from './input-for.js'
export { jsonOf } from './json-of.js'
export { almostMedium, medium } from './medium.js'
export { accompanied, stateOf } from './state-of.js'

export const anyRole: fc.Arbitrary<Role> = fc.constantFrom(...roles)

/** The roles that may PUT what they GET. */
export const anyWriter: fc.Arbitrary<Role> = fc.constantFrom('editor', 'admin')
