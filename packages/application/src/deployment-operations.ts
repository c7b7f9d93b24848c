/** All operations on the deployment. */
export { readMe } from './access/read-me.js'
export {
  createInstance,
  listInstances,
  readInstance,
  removeInstance,
} from './administration/instance-operations.js'
export { createKey, listKeys, revokeKey } from './administration/key-operations.js'
export {
  changeUser,
  createUser,
  listUsers,
  readInstanceRoles,
  readUser,
  readUserRoles,
  removeInstanceRoles,
  removeUser,
  replaceInstanceRoles,
  replaceUserRoles,
} from './administration/user-operations.js'
export { listAudit } from './audit/list-audit.js'
