import type { Role } from '../role/role.js'

/** The API user of a token. */
export type Me = {
  /** Null for a command of the command line. */
  readonly uuid: string | null
  readonly name: string
  readonly api_key: string
  readonly operator: boolean
  /** Its instances by number, with its roles there. */
  readonly items: readonly { readonly id: number; readonly title: string; readonly roles: readonly Role[] }[]
}
