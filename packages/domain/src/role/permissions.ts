import { rolesFrom, type Role } from './role.js'

/** `attach` attaches a tag to an object that the role may update, and detaches it. */
export const actions = ['read', 'create', 'update', 'remove', 'attach'] as const
export type Action = (typeof actions)[number]

/** The least role that each action on each resource needs (docs/behaviour/access.md#roles). A missing action does not exist. */
export const permissions = {
  instance: { read: 'public_user' },
  settings: { read: 'public_user', update: 'admin' },
  audit: { read: 'admin' },
  sections: { read: 'public_user', create: 'admin', update: 'editor', remove: 'admin' },
  content: { read: 'public_user', create: 'contributor', update: 'contributor', remove: 'contributor' },
  locations: { read: 'public_user', create: 'editor', update: 'editor', remove: 'editor' },
  files: { read: 'public_user', create: 'contributor', update: 'contributor', remove: 'contributor' },
  tags: { read: 'public_user', create: 'editor', update: 'editor', remove: 'editor', attach: 'contributor' },
  tag_categories: { read: 'public_user', create: 'editor', update: 'editor', remove: 'editor' },
  redirects: { read: 'public_user', create: 'editor', update: 'editor', remove: 'editor' },
  homepage: { read: 'public_user', create: 'editor', update: 'editor', remove: 'editor' },
  comments: { read: 'public_user', create: 'contributor', update: 'contributor', remove: 'contributor' },
  blogs: { read: 'public_user', create: 'editor', update: 'editor', remove: 'editor' },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<Action, Role>>>>>

export type Subject = keyof typeof permissions

/** The least role for an action, or null where the subject has no such action. */
export const roleNeeded = (subject: Subject, action: Action): Role | null => {
  const needs: Readonly<Partial<Record<Action, Role>>> = permissions[subject]
  return needs[action] ?? null
}

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
