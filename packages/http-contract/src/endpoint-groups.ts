import { resourceOf } from '@publishing-service/domain'
import type { Endpoint } from './endpoint.js'

/** The group of an endpoint: the subject of its permission. */
export const groupOf = ({ permission, deployment }: Endpoint): string =>
  permission?.subject ?? deployment?.subject ?? 'service'

/** The description of a group. */
export const groupDescription = (group: string): string => {
  const resource = resourceOf(group)
  if (resource !== undefined) return resource.description
  const own: Readonly<Record<string, string>> = {
    service: 'Endpoints that belong to no instance: tokens, sign-in, health, documents.',
    instance: 'An instance is one publication. The paths of everything in it start with its number.',
    settings: 'Settings of an instance, such as its time zone.',
    me: 'The API user of the token.',
    account: 'The account of the signed-in person: name, address, ways in.',
    sessions: 'The own sessions of the dashboard.',
    links: 'Links with which people set up their accounts.',
    users: 'API users and their roles on instances.',
    keys: 'The keys of API users.',
    instances: 'The instances of the deployment.',
    audit: 'The audit log: who changed what, and when.',
    people: 'The API users who may edit the instance.',
    changes: 'What has changed: for mirrors, static websites and caches.',
    webhooks: 'Addresses that receive what happens to public objects.',
    exports: 'Exports of the instance as one file.',
    imports: 'Imports of content of other systems, and their reports.',
    drafts: 'Drafts of all objects of an instance.',
    trash: 'Deleted objects that can be restored.',
  }
  const description = own[group]
  if (description === undefined) throw new Error(`the group ${group} has no description`)
  return description
}
