export type { components, paths } from './api.js'
export { createClient, type Client, type ClientOptions, type Upload } from './create-client.js'
export { includedIn } from './included.js'
export {
  type CollectionPath,
  type FieldOf,
  type PageOptions,
  type Row,
  type RowPage,
  type RowsOptions,
} from './read-rows.js'
export { revokeToken, type Revocation } from './revoke-token.js'
export { type Progress } from './send-data.js'
export { dataOf, ServiceError } from './service-error.js'
export { type Token } from './token-source.js'
