export type { components, paths } from './api.js'
export {
  createClient,
  type Client,
  type ClientOptions,
  type Credentials,
  type Upload,
} from './create-client.js'
export { escapeHtml, htmlAttributes } from './html.js'
export { includedIn } from './included.js'
export {
  type CollectionPath,
  type FieldOf,
  type PageOptions,
  type Row,
  type RowPage,
  type RowsOptions,
} from './read-rows.js'
export { picture, type PictureAttributes, type PictureOptions, type PictureSource } from './picture.js'
export { renderBody, type BodyComponents, type BodyOptions, type PageMedium } from './render-body.js'
export { revokeToken, type Revocation } from './revoke-token.js'
export { type Progress } from './send-data.js'
export { dataOf, ServiceError } from './service-error.js'
export { type Token } from './token-source.js'
export { type WebPage, type WebPageOptions } from './web-page.js'
export { verifyWebhook, type WebhookEvent, type WebhookRequest } from './verify-webhook.js'
export { type Change, type ChangeBatch, type WatchOptions } from './watch-changes.js'
