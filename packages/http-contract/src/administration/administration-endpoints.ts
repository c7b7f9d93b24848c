import type { Role } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Schema } from '@publishing-service/domain/declare'
import {
  auditRows,
  deploymentOperations,
  instanceRows,
  keyAttributes,
  keyRows,
  type Me,
  rolesOfUser,
  rolesOnInstance,
  userRows,
} from '@publishing-service/access'
import { roles } from '@publishing-service/domain/roles'
import {
  deploymentEndpoint,
  type AdministrationEndpoint,
  type BodyKind,
  type Method,
  type Parameter,
} from '../endpoint.js'
import type { NamedShape } from '../payload.js'
import { deleted, fixed, json, linksFor, objectOf, objectSchema, rowsOf, type Response } from '../response.js'
import { settingsShape } from '../endpoints/shapes.js'

const shapes = {
  user: {
    name: 'User',
    description: 'An API user, with its roles on the instances that the caller administers.',
    shape: {
      ...userRows,
      examples: { bodies: [{ name: 'website', roles: [{ instance: 1, roles: ['editor'] }] }] },
    },
  },
  key: {
    name: 'NewKey',
    description: 'What a new key is for.',
    shape: { attributes: keyAttributes, examples: { bodies: [{ title: 'website' }] } },
  },
  instance: {
    name: 'Instance',
    description: 'An instance, with its settings.',
    shape: { ...instanceRows, examples: settingsShape.shape.examples },
  },
  userRoles: {
    name: 'UserRoles',
    description: 'The roles of a user by instance.',
    shape: {
      attributes: rolesOfUser,
      examples: { bodies: [{ items: [{ instance: 1, roles: ['public_user'] }] }] },
    },
  },
  instanceRoles: {
    name: 'InstanceRoles',
    description: 'The roles of a user on one instance.',
    shape: { attributes: rolesOnInstance, examples: { bodies: [{ roles: ['reader'] }] } },
  },
} as const satisfies Readonly<Record<string, NamedShape>>

const confirm: Parameter = {
  name: 'confirm',
  description:
    '`true` to proceed although no admin of an instance, or no operator, would be left who has a key or can sign in, or keys that others have made would gain rights that these do not have.',
  schema: { type: 'boolean' },
}

const uri = (description: string): Schema => ({ type: 'string', format: 'uri', description })
const uuid = (description: string): Schema => ({ type: 'string', format: 'uuid', description })
const number: Schema = { type: 'integer', minimum: 1, description: 'Number of the instance, as in paths.' }

const roleNames: Schema = {
  type: 'array',
  description: 'The roles.',
  items: { type: 'string', enum: roles, description: 'A role.' },
}

const userWritten: Response<unknown, '{uuid}'> = {
  payload: fixed('UserWritten', 'Which user was written.', {
    url: uri('API URL of the user.'),
    uuid: uuid('Identifier of the user.'),
  }),
  encode: (_output, { links, path }) => json({ url: links.object('users', path.uuid), uuid: path.uuid }),
}

const removed: Response<unknown> = { payload: deleted.payload, encode: () => json({ msg: 'deleted' }) }

const instanceNumber = ({ iid }: { readonly iid: string }): number =>
  /^[1-9]\d{0,8}$/.test(iid) ? Number(iid) : 0

/** An endpoint that has the name of its operation. */
const operation = <const Path extends string, Kind extends BodyKind, Input, Output>(
  id: keyof typeof deploymentOperations,
  method: Method,
  path: Path,
  body: Kind,
  summary: string,
  rest: Omit<
    Parameters<typeof deploymentEndpoint<Path, Kind, Input, Output>>[0],
    'operation' | 'id' | 'method' | 'path' | 'body' | 'summary'
  >,
): AdministrationEndpoint<Path, Kind, Input, Output> =>
  deploymentEndpoint<Path, Kind, Input, Output>({
    operation: deploymentOperations[id],
    id,
    method,
    path,
    body,
    summary,
    ...rest,
  })

/** The administration of the deployment (docs/behaviour/administration.md). */
export const administrationEndpoints = {
  readMe: operation('readMe', 'GET', '/me', 'none', 'Read who the token is', {
    description:
      'The API user and the key of the token, and the instances of the user: titles, time zones, and the roles of the user there.',
    input: () => null,
    response: {
      payload: fixed('Me', 'The API user of the token.', {
        uuid: uuid('Identifier of the user.'),
        name: { type: 'string', description: 'Name of the user.' },
        api_key: { type: 'string', description: 'The API key of the token.' },
        operator: { type: 'boolean', description: 'Whether the user administers the whole deployment.' },
        needs_second_factor: {
          type: 'boolean',
          description:
            'Whether the person has no rights until they have set up one-time codes or signed in with a passkey.',
        },
        items: {
          type: 'array',
          description: 'The instances on which the user has roles, by id.',
          items: objectSchema('An instance, and the roles of the user there.', {
            id: number,
            title: { type: 'string', description: 'Name of the publication.' },
            timezone: {
              type: 'string',
              description: 'Time zone of all its date-times, such as `Europe/Vienna`.',
            },
            roles: roleNames,
            url: uri('Address of the instance.'),
          }),
        },
      }),
      encode: ({ items, ...me }: Me, { target: { base } }) =>
        json({ ...me, items: items.map((each) => ({ ...each, url: linksFor(base, each.id).root })) }),
    },
  }),
  listUsers: operation('listUsers', 'GET', '/users', 'none', 'List API users', {
    description:
      'An operator sees all users. An admin of an instance sees the users that have a role on an instance of theirs, and only the roles there.',
    input: ({ query }) => ({ parameters: query }),
    response: rowsOf(userRows),
  }),
  createUser: operation('createUser', 'POST', '/users', 'object', 'Create an API user', {
    description:
      'An operator can create any user. An admin of an instance creates users with at least one role, all on instances that they administer.',
    requestPayload: { _tag: 'Object', of: shapes.user },
    input: ({ body }) => ({ body }),
    response: {
      payload: userWritten.payload,
      encode: ({ id }: { readonly id: string }, { links }) =>
        json({ url: links.object('users', id), uuid: id }),
    },
  }),
  readUser: operation('readUser', 'GET', '/users/{uuid}', 'none', 'Read an API user', {
    caching: 'unstored',
    description: 'Name, roles that the caller may see, and whether the user is an operator.',
    input: ({ path }) => ({ id: path.uuid }),
    response: objectOf(shapes.user),
  }),
  changeUser: operation('changeUser', 'PATCH', '/users/{uuid}', 'object', 'Change an API user', {
    description:
      'Changes only the attributes that are sent. `roles` replaces all roles that the caller sees. Tokens in use change within five seconds.',
    parameters: [confirm],
    requestPayload: { _tag: 'Object', of: shapes.user },
    input: ({ path, query, body }) => ({ id: path.uuid, body, parameters: query }),
    response: userWritten,
  }),
  removeUser: operation('removeUser', 'DELETE', '/users/{uuid}', 'none', 'Delete an API user', {
    description: 'Deletes the user with its keys. Its tokens end within five seconds.',
    parameters: [confirm],
    input: ({ path, query }) => ({ id: path.uuid, parameters: query }),
    response: removed,
  }),
  listKeys: operation('listKeys', 'GET', '/users/{uuid}/keys', 'none', 'List the keys of an API user', {
    description: 'Also the revoked ones. Secrets are not stored, so they cannot be read.',
    input: ({ path, query }) => ({ user: path.uuid, parameters: query }),
    response: rowsOf(keyRows),
  }),
  createKey: operation(
    'createKey',
    'POST',
    '/users/{uuid}/keys',
    'optional object',
    'Create a key of an API user',
    {
      description:
        'The secret is returned only here. The key has all rights of its user. A user has at most 20 keys that are not revoked.',
      requestPayload: { _tag: 'Object', of: shapes.key },
      input: ({ path, body }) => ({ user: path.uuid, body }),
      response: {
        payload: fixed('IssuedKey', 'A new key, with its secret.', {
          api_key: { type: 'string', description: 'The API key.' },
          api_secret: { type: 'string', description: 'Its secret, which is not shown again.' },
        }),
        encode: ({ api_key, api_secret }: { readonly api_key: string; readonly api_secret: string }) =>
          json({ api_key, api_secret }),
      },
    },
  ),
  revokeKey: operation('revokeKey', 'DELETE', '/users/{uuid}/keys/{api_key}', 'none', 'Revoke a key', {
    description: 'Permanently. Its tokens end within five seconds.',
    parameters: [confirm],
    input: ({ path, query }) => ({ user: path.uuid, apiKey: path.api_key, parameters: query }),
    response: removed,
  }),
  readUserRoles: operation(
    'readUserRoles',
    'GET',
    '/users/{uuid}/roles',
    'none',
    'Read the roles of an API user',
    {
      caching: 'unstored',
      description:
        'By instance; an admin of an instance sees only the roles on instances that they administer.',
      input: ({ path }) => ({ id: path.uuid }),
      response: {
        payload: { _tag: 'Object', of: shapes.userRoles },
        encode: (items: readonly JsonObject[]) => json({ items }),
      },
    },
  ),
  replaceUserRoles: operation(
    'replaceUserRoles',
    'PUT',
    '/users/{uuid}/roles',
    'object',
    'Replace the roles of an API user',
    {
      description: 'All roles that the caller sees; others remain. Tokens in use change within five seconds.',
      parameters: [confirm],
      requestPayload: { _tag: 'Object', of: shapes.userRoles },
      input: ({ path, query, body }) => ({ id: path.uuid, body, parameters: query }),
      response: userWritten,
    },
  ),
  readInstanceRoles: operation(
    'readInstanceRoles',
    'GET',
    '/users/{uuid}/roles/{iid}',
    'none',
    'Read the roles of an API user on one instance',
    {
      caching: 'unstored',
      description: 'An empty list if it has none there.',
      input: ({ path }) => ({ id: path.uuid, instance: instanceNumber(path) }),
      response: {
        payload: { _tag: 'Object', of: shapes.instanceRoles },
        encode: (held: readonly Role[]) => json({ roles: held }),
      },
    },
  ),
  replaceInstanceRoles: operation(
    'replaceInstanceRoles',
    'PUT',
    '/users/{uuid}/roles/{iid}',
    'object',
    'Replace the roles of an API user on one instance',
    {
      description: 'Tokens in use change within five seconds.',
      parameters: [confirm],
      requestPayload: { _tag: 'Object', of: shapes.instanceRoles },
      input: ({ path, query, body }) => ({
        id: path.uuid,
        instance: instanceNumber(path),
        body,
        parameters: query,
      }),
      response: userWritten,
    },
  ),
  removeInstanceRoles: operation(
    'removeInstanceRoles',
    'DELETE',
    '/users/{uuid}/roles/{iid}',
    'none',
    'Remove all roles of an API user on one instance',
    {
      description: 'Tokens in use lose them within five seconds.',
      parameters: [confirm],
      input: ({ path, query }) => ({
        id: path.uuid,
        instance: instanceNumber(path),
        parameters: query,
      }),
      response: removed,
    },
  ),
  listInstances: operation('listInstances', 'GET', '/instances', 'none', 'List the instances', {
    description: 'All instances of the deployment, with their settings.',
    input: ({ query }) => ({ parameters: query }),
    response: rowsOf(instanceRows),
  }),
  createInstance: operation('createInstance', 'POST', '/instances', 'object', 'Create an instance', {
    description: 'It gets the next free number. The body has its settings, which can be changed later.',
    requestPayload: { _tag: 'Object', of: settingsShape },
    input: ({ body }) => ({ body }),
    response: {
      payload: fixed('InstanceCreated', 'Which instance was created.', {
        id: number,
        url: uri('API URL of the instance among the instances.'),
      }),
      encode: ({ id }: { readonly id: number }, { links }) =>
        json({ id, url: links.object('instances', String(id)) }),
    },
  }),
  readInstance: operation('readInstance', 'GET', '/instances/{iid}', 'none', 'Read an instance', {
    caching: 'unstored',
    description: 'Its number and its settings.',
    input: ({ path }) => ({ instance: instanceNumber(path) }),
    response: objectOf(shapes.instance),
  }),
  removeInstance: operation(
    'removeInstance',
    'DELETE',
    '/instances/{iid}',
    'none',
    'Delete an instance with all its content',
    {
      description:
        'Requests for the instance fail at once. Its content, files, roles and the users without a role elsewhere are deleted afterwards; that is finished even if the process ends. The number is never used again.',
      parameters: [
        {
          name: 'title',
          description: 'The title of the instance, as confirmation.',
          schema: { type: 'string', format: 'text', maxLength: 255 },
        },
      ],
      input: ({ path, query }) => ({ instance: instanceNumber(path), parameters: query }),
      response: removed,
    },
  ),
  listAudit: operation('listAudit', 'GET', '/audit', 'none', 'Read the audit log', {
    description:
      'Who changed what, and when, on all instances and on the deployment, and who has signed in: the newest entries first. Entries are retained for 400 days unless the deployment is configured otherwise.',
    input: ({ query }) => ({ parameters: query }),
    response: rowsOf(auditRows),
  }),
}
