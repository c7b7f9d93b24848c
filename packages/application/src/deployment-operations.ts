/** All operations on the deployment. */
export {
  changeAccount,
  confirmEmail,
  createLink,
  endSession,
  endSessions,
  listSessions,
  mailConfirmation,
  readAccount,
  removeLinks,
  removePassword,
  setPassword,
} from './accounts/account-operations.js'
export {
  addPasskey,
  changePasskey,
  createPasskeyOptions,
  listPasskeys,
  removePasskey,
} from './accounts/passkey-operations.js'
export { listIdentities, removeIdentity } from './accounts/identity-operations.js'
export { activateOneTimeCodes, createOneTimeSecret, removeOneTimeCodes } from './accounts/code-operations.js'
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
