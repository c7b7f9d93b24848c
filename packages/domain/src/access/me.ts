import type { InstanceRoles } from './instance-roles.js'

/** The API user of a token. */
export type Me = {
  /** UUID; null for a command of the command line. */
  readonly user: string | null
  readonly name: string
  readonly apiKey: string
  readonly operator: boolean
  /** Its instances, with their titles and its roles there. */
  readonly instances: readonly (InstanceRoles & { readonly title: string })[]
}
