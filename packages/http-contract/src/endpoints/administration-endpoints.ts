import {
  auditRows,
  deploymentOperations,
  instanceRows,
  keyAttributes,
  keyRows,
  roles,
  rolesOfUser,
  rolesOnInstance,
  userAttributes,
  userRows,
  type Schema,
  type Me,
  type JsonObject,
  type Role,
} from '@publishing-service/domain'
import { deploymentEndpoint, type Parameter } from '../endpoint.js'
import { instanceUrl } from '../links.js'
import type { NamedShape, Payload } from '../payload.js'
import { deleted, json, objectOf, rowsOf, type Response } from '../response.js'
import { settingsShape } from './shapes.js'

const userShape: NamedShape = {
  name: 'User',
  description: 'An API user, with its roles on the instances that the caller administers.',
  shape: { attributes: userAttributes },
}

const keyShape: NamedShape = {
  name: 'NewKey',
  description: 'What a new key is for.',
  shape: { attributes: keyAttributes },
}

const instanceShape: NamedShape = {
  name: 'Instance',
  description: 'An instance, with its settings.',
  shape: instanceRows,
}

const userRolesShape: NamedShape = {
  name: 'UserRoles',
  description: 'The roles of a user by instance.',
  shape: { attributes: rolesOfUser },
}

const instanceRolesShape: NamedShape = {
  name: 'InstanceRoles',
  description: 'The roles of a user on one instance.',
  shape: { attributes: rolesOnInstance },
}

const confirm: Parameter = {
  name: 'confirm',
  description:
    '`true` to proceed although no admin key of an instance, or no key of an operator, would be left, or keys that others have made would gain rights that these do not have.',
  schema: { type: 'boolean' },
}

const uri = (description: string): Schema => ({ type: 'string', format: 'uri', description })
const objectSchema = (description: string, properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  description,
  properties,
  required: Object.keys(properties),
})
const fixed = (name: string, description: string, properties: Readonly<Record<string, Schema>>): Payload => ({
  _tag: 'Fixed',
  name,
  schema: objectSchema(description, properties),
})

const roleNames: Schema = {
  type: 'array',
  description: 'The roles.',
  items: { type: 'string', enum: roles, description: 'A role.' },
}

const userWrittenPayload = fixed('UserWritten', 'Which user was written.', {
  url: uri('API URL of the user.'),
  uuid: { type: 'string', format: 'uuid', description: 'Identifier of the user.' },
})

const userWritten: Response<unknown, '{uuid}'> = {
  payload: userWrittenPayload,
  encode: (_output, { links, path: { uuid } }) => json({ url: links.object('users', uuid), uuid }),
}

const instanceNumber = ({ iid }: { readonly iid: string }): number =>
  /^[1-9]\d{0,8}$/.test(iid) ? Number(iid) : 0

/** The administration of the deployment (docs/behaviour/administration.md). */
export const administrationEndpoints = {
  readMe: deploymentEndpoint({
    operation: deploymentOperations.readMe,
    id: 'readMe',
    method: 'GET',
    path: '/me',
    summary: 'Read who the token is',
    description:
      'The API user and the key of the token, and its instances with their titles and its roles there.',
    body: 'none',
    input: () => null,
    response: {
      payload: fixed('Me', 'The API user of the token.', {
        uuid: { type: 'string', format: 'uuid', description: 'Identifier of the user.' },
        name: { type: 'string', description: 'Name of the user.' },
        api_key: { type: 'string', description: 'The API key of the token.' },
        operator: { type: 'boolean', description: 'Whether the user administers the whole deployment.' },
        items: {
          type: 'array',
          description: 'The instances on which it has roles, by id.',
          items: objectSchema('An instance, and the roles of the user there.', {
            id: { type: 'integer', minimum: 1, description: 'Number of the instance, as in paths.' },
            title: { type: 'string', description: 'Name of the publication.' },
            roles: roleNames,
            url: uri('Address of the instance.'),
          }),
        },
      }),
      encode: ({ user, name, apiKey, operator, instances }: Me, { target: { base } }) =>
        json({
          uuid: user,
          name,
          api_key: apiKey,
          operator,
          items: instances.map(({ instance, title, roles: held }) => ({
            id: instance,
            title,
            roles: held,
            url: instanceUrl(base, instance),
          })),
        }),
    },
  }),
  listUsers: deploymentEndpoint({
    operation: deploymentOperations.listUsers,
    id: 'listUsers',
    method: 'GET',
    path: '/users',
    summary: 'List API users',
    description:
      'An operator sees all users. An admin of an instance sees the users that have a role on an instance that it administers, and only their roles there.',
    body: 'none',
    input: ({ query }) => ({ parameters: query }),
    response: rowsOf(userRows),
  }),
  createUser: deploymentEndpoint({
    operation: deploymentOperations.createUser,
    id: 'createUser',
    method: 'POST',
    path: '/users',
    summary: 'Create an API user',
    description:
      'An operator can create any user. An admin of an instance creates users with at least one role, all on instances that it administers.',
    body: 'object',
    requestPayload: { _tag: 'Object', of: userShape },
    input: ({ body }) => ({ body }),
    response: {
      payload: userWrittenPayload,
      encode: ({ id }: { readonly id: string }, { links }) =>
        json({ url: links.object('users', id), uuid: id }),
    },
  }),
  readUser: deploymentEndpoint({
    operation: deploymentOperations.readUser,
    id: 'readUser',
    method: 'GET',
    path: '/users/{uuid}',
    summary: 'Read an API user',
    description: 'Its name, whether it is an operator, and the roles that the caller may see.',
    body: 'none',
    input: ({ path }) => ({ id: path.uuid }),
    response: objectOf(userShape),
  }),
  changeUser: deploymentEndpoint({
    operation: deploymentOperations.changeUser,
    id: 'changeUser',
    method: 'PATCH',
    path: '/users/{uuid}',
    summary: 'Change an API user',
    description:
      'Changes only the attributes that are sent. `roles` replaces all roles that the caller sees. Tokens in use change within five seconds.',
    parameters: [confirm],
    body: 'object',
    requestPayload: { _tag: 'Object', of: userShape },
    input: ({ path, query, body }) => ({ id: path.uuid, body, parameters: query }),
    response: userWritten,
  }),
  removeUser: deploymentEndpoint({
    operation: deploymentOperations.removeUser,
    id: 'removeUser',
    method: 'DELETE',
    path: '/users/{uuid}',
    summary: 'Delete an API user',
    description: 'Deletes the user with its keys. Its tokens end within five seconds.',
    parameters: [confirm],
    body: 'none',
    input: ({ path, query }) => ({ id: path.uuid, parameters: query }),
    response: { ...deleted, encode: () => json({ msg: 'deleted' }) },
  }),
  listKeys: deploymentEndpoint({
    operation: deploymentOperations.listKeys,
    id: 'listKeys',
    method: 'GET',
    path: '/users/{uuid}/keys',
    summary: 'List the keys of an API user',
    description: 'Also the revoked ones. Secrets are not stored, so they cannot be read.',
    body: 'none',
    input: ({ path, query }) => ({ user: path.uuid, parameters: query }),
    response: rowsOf(keyRows),
  }),
  createKey: deploymentEndpoint({
    operation: deploymentOperations.createKey,
    id: 'createKey',
    method: 'POST',
    path: '/users/{uuid}/keys',
    summary: 'Create a key of an API user',
    description:
      'The secret is returned only here. The key has all rights of its user. A user has at most 20 keys that are not revoked.',
    problems: ['TooManyKeys'],
    body: 'optional object',
    requestPayload: { _tag: 'Object', of: keyShape },
    input: ({ path, body }) => ({ user: path.uuid, body }),
    response: {
      payload: fixed('IssuedKey', 'A new key, with its secret.', {
        api_key: { type: 'string', description: 'The API key.' },
        api_secret: { type: 'string', description: 'Its secret, which is not shown again.' },
      }),
      encode: ({ api_key, api_secret }: { readonly api_key: string; readonly api_secret: string }) =>
        json({ api_key, api_secret }),
    },
  }),
  revokeKey: deploymentEndpoint({
    operation: deploymentOperations.revokeKey,
    id: 'revokeKey',
    method: 'DELETE',
    path: '/users/{uuid}/keys/{api_key}',
    summary: 'Revoke a key',
    description: 'Permanently. Its tokens end within five seconds.',
    parameters: [confirm],
    body: 'none',
    input: ({ path, query }) => ({ user: path.uuid, apiKey: path.api_key, parameters: query }),
    response: { ...deleted, encode: () => json({ msg: 'deleted' }) },
  }),
  readUserRoles: deploymentEndpoint({
    operation: deploymentOperations.readUserRoles,
    id: 'readUserRoles',
    method: 'GET',
    path: '/users/{uuid}/roles',
    summary: 'Read the roles of an API user',
    description: 'By instance; an admin of an instance sees only the roles on instances that it administers.',
    body: 'none',
    input: ({ path }) => ({ id: path.uuid }),
    response: {
      payload: { _tag: 'Object', of: userRolesShape },
      encode: (items: readonly JsonObject[]) => json({ items }),
    },
  }),
  replaceUserRoles: deploymentEndpoint({
    operation: deploymentOperations.replaceUserRoles,
    id: 'replaceUserRoles',
    method: 'PUT',
    path: '/users/{uuid}/roles',
    summary: 'Replace the roles of an API user',
    description: 'All roles that the caller sees; others remain. Tokens in use change within five seconds.',
    parameters: [confirm],
    body: 'object',
    requestPayload: { _tag: 'Object', of: userRolesShape },
    input: ({ path, query, body }) => ({ id: path.uuid, body, parameters: query }),
    response: userWritten,
  }),
  readInstanceRoles: deploymentEndpoint({
    operation: deploymentOperations.readInstanceRoles,
    id: 'readInstanceRoles',
    method: 'GET',
    path: '/users/{uuid}/roles/{iid}',
    summary: 'Read the roles of an API user on one instance',
    description: 'An empty list if it has none there.',
    body: 'none',
    input: ({ path }) => ({ id: path.uuid, instance: instanceNumber(path) }),
    response: {
      payload: { _tag: 'Object', of: instanceRolesShape },
      encode: (held: readonly Role[]) => json({ roles: held }),
    },
  }),
  replaceInstanceRoles: deploymentEndpoint({
    operation: deploymentOperations.replaceInstanceRoles,
    id: 'replaceInstanceRoles',
    method: 'PUT',
    path: '/users/{uuid}/roles/{iid}',
    summary: 'Replace the roles of an API user on one instance',
    description: 'Tokens in use change within five seconds.',
    parameters: [confirm],
    body: 'object',
    requestPayload: { _tag: 'Object', of: instanceRolesShape },
    input: ({ path, query, body }) => ({
      id: path.uuid,
      instance: instanceNumber(path),
      body,
      parameters: query,
    }),
    response: userWritten,
  }),
  removeInstanceRoles: deploymentEndpoint({
    operation: deploymentOperations.removeInstanceRoles,
    id: 'removeInstanceRoles',
    method: 'DELETE',
    path: '/users/{uuid}/roles/{iid}',
    summary: 'Remove all roles of an API user on one instance',
    description: 'Tokens in use lose them within five seconds.',
    parameters: [confirm],
    body: 'none',
    input: ({ path, query }) => ({
      id: path.uuid,
      instance: instanceNumber(path),
      parameters: query,
    }),
    response: { ...deleted, encode: () => json({ msg: 'deleted' }) },
  }),
  listInstances: deploymentEndpoint({
    operation: deploymentOperations.listInstances,
    id: 'listInstances',
    method: 'GET',
    path: '/instances',
    summary: 'List the instances',
    description: 'All instances of the deployment, with their settings.',
    body: 'none',
    input: ({ query }) => ({ parameters: query }),
    response: rowsOf(instanceRows),
  }),
  createInstance: deploymentEndpoint({
    operation: deploymentOperations.createInstance,
    id: 'createInstance',
    method: 'POST',
    path: '/instances',
    summary: 'Create an instance',
    description: 'It gets the next free number. The body has its settings, which can be changed later.',
    body: 'object',
    requestPayload: { _tag: 'Object', of: settingsShape },
    input: ({ body }) => ({ body }),
    response: {
      payload: fixed('InstanceCreated', 'Which instance was created.', {
        id: { type: 'integer', minimum: 1, description: 'Number of the instance, as in paths.' },
        url: uri('API URL of the instance among the instances.'),
      }),
      encode: ({ id }: { readonly id: number }, { links }) =>
        json({ id, url: links.object('instances', String(id)) }),
    },
  }),
  readInstance: deploymentEndpoint({
    operation: deploymentOperations.readInstance,
    id: 'readInstance',
    method: 'GET',
    path: '/instances/{iid}',
    summary: 'Read an instance',
    description: 'Its number and its settings.',
    body: 'none',
    input: ({ path }) => ({ instance: instanceNumber(path) }),
    response: objectOf(instanceShape),
  }),
  removeInstance: deploymentEndpoint({
    operation: deploymentOperations.removeInstance,
    id: 'removeInstance',
    method: 'DELETE',
    path: '/instances/{iid}',
    summary: 'Delete an instance with all its content',
    description:
      'Requests for the instance fail at once. Its content, files, roles and the users without a role elsewhere are deleted afterwards; that is finished even if the process ends. The number is never used again.',
    parameters: [
      {
        name: 'title',
        description: 'The title of the instance, as confirmation.',
        schema: { type: 'string', format: 'text', maxLength: 255 },
      },
    ],
    body: 'none',
    input: ({ path, query }) => ({ instance: instanceNumber(path), parameters: query }),
    response: { ...deleted, encode: () => json({ msg: 'deleted' }) },
  }),
  listAudit: deploymentEndpoint({
    operation: deploymentOperations.listAudit,
    id: 'listAudit',
    method: 'GET',
    path: '/audit',
    summary: 'Read the audit log',
    description:
      'Who changed what, and when, on all instances and on the deployment, and who has signed in: the newest entries first. Entries are kept for 400 days.',
    body: 'none',
    input: ({ query }) => ({ parameters: query }),
    response: rowsOf(auditRows),
  }),
}
