/**
 * Roles of an API user on an instance, weakest first; each may do what the ones before it may
 * (docs/behaviour/access.md#roles).
 */
export const roles = ['public_user', 'reader', 'contributor', 'editor', 'admin'] as const

export type Role = (typeof roles)[number]

/** A description of each role in one line. */
export const roleDescriptions: Readonly<Record<Role, string>> = {
  public_user: 'Reads what is public.',
  reader: 'Reads everything, and writes nothing.',
  contributor: 'Creates content and files; edits and deletes its own drafts, and never publishes.',
  editor: 'Writes content, media, locations, files, tags and homepages; edits sections.',
  admin: 'Also creates and deletes sections, and changes settings.',
}

export const isRole = (name: string): name is Role => roles.some((role) => role === name)

export const mayActAs = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed)

/** A role, and those that may do what it may. */
export const rolesFrom = (needed: Role): ReadonlySet<Role> =>
  new Set(roles.filter((role) => mayActAs(role, needed)))

/** The strongest of a user's roles on one instance. */
export const strongest = (held: readonly Role[]): Role | null =>
  held.reduce<Role | null>((best, role) => (best === null || mayActAs(role, best) ? role : best), null)
