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

/** The least role that publishes, answers reviews, and changes what is published or was created by another user. */
export const unrestricted: Role = 'editor'

/** The strongest of a user's roles on one instance. */
export const strongest = (held: readonly Role[]): Role | null =>
  held.reduce<Role | null>((best, role) => (best === null || mayActAs(role, best) ? role : best), null)

/**
 * `history` reads earlier versions and the draft of an object that the role may update. `attach` attaches a tag to such an object, and
 * detaches it. `submit` creates an object that is not published, and that only stronger roles see.
 */
export const actions = ['read', 'history', 'create', 'update', 'remove', 'attach', 'submit'] as const
export type Action = (typeof actions)[number]

/** The actions that change nothing. */
export type ReadAction = 'read' | 'history'

export const readActions: ReadonlySet<Action> = new Set<ReadAction>(['read', 'history'])

/** The least role that each action on each resource needs (docs/behaviour/access.md#roles). A missing action does not exist. */
export const permissions = {
  instance: { read: 'public_user' },
  settings: { read: 'public_user', update: 'admin' },
  audit: { read: 'admin' },
  people: { read: 'contributor' },
  drafts: { read: 'contributor' },
  changes: { read: 'public_user' },
  trash: { read: 'editor', update: 'editor', remove: 'admin' },
  webhooks: { read: 'admin', create: 'admin', update: 'admin', remove: 'admin' },
  imports: { read: 'admin', create: 'admin', remove: 'admin' },
  exports: { read: 'admin', create: 'admin', remove: 'admin' },
  sections: { read: 'public_user', history: 'editor', create: 'admin', update: 'editor', remove: 'admin' },
  content: {
    read: 'public_user',
    history: 'contributor',
    create: 'contributor',
    update: 'contributor',
    remove: 'contributor',
  },
  locations: { read: 'public_user', history: 'editor', create: 'editor', update: 'editor', remove: 'editor' },
  files: {
    read: 'public_user',
    history: 'contributor',
    create: 'contributor',
    update: 'contributor',
    remove: 'contributor',
  },
  tags: {
    read: 'public_user',
    history: 'editor',
    create: 'editor',
    update: 'editor',
    remove: 'editor',
    attach: 'contributor',
  },
  tag_categories: { read: 'public_user', create: 'editor', update: 'editor', remove: 'editor' },
  redirects: { read: 'public_user', history: 'editor', create: 'editor', update: 'editor', remove: 'editor' },
  homepage: { read: 'public_user', history: 'editor', create: 'editor', update: 'editor', remove: 'editor' },
  comments: {
    read: 'public_user',
    create: 'contributor',
    update: 'contributor',
    remove: 'contributor',
    submit: 'public_user',
  },
  blogs: { read: 'public_user', create: 'editor', update: 'editor', remove: 'editor' },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<Action, Role>>>>>

export type Subject = keyof typeof permissions

/** The least role for an action, or null where the subject has no such action. */
export const roleNeeded = (subject: Subject, action: Action): Role | null => {
  const needs: Readonly<Partial<Record<Action, Role>>> = permissions[subject]
  return needs[action] ?? null
}

/** The subjects whose objects have versions. */
export const subjectsWithVersions: ReadonlySet<string> = new Set(
  Object.entries(permissions).flatMap(([subject, needs]) => ('history' in needs ? [subject] : [])),
)

/** The subjects whose objects have drafts. */
export const subjectsWithDrafts: ReadonlySet<string> = new Set(['content', 'locations'] satisfies Subject[])

/** The roles that may take each action on each resource. */
export const permittedRoles = new Map(
  Object.entries(permissions).map(([subject, needs]) => [
    subject,
    new Map(
      Object.entries(needs).map(([action, needed]): readonly [string, ReadonlySet<Role>] => [
        action,
        rolesFrom(needed),
      ]),
    ),
  ]),
)
