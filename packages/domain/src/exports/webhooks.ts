/** Web hooks and their deliveries. */
export { hostOf, mayAttempt, nextAttempts, type Attempt } from '../webhooks/attempt-places.js'
export {
  eventOf,
  isSelected,
  isTooLongFailing,
  mostWebhooks,
  switchOffReasons,
  signingSecrets,
  testEvent,
  webhookAttributes,
  webhookEvents,
  webhookLimitProblem,
  webhookRows,
  withFormerSecret,
  type FormerSecret,
  type StoredWebhook,
} from '../webhooks/webhook.js'
export {
  afterAttempt,
  deliveryAttributes,
  deliveryRows,
  deliveryTime,
  newProgress,
  retryDelay,
  type DeliveryAnswer,
  type DeliveryFailure,
  type Progress,
  type StoredDelivery,
} from '../webhooks/delivery.js'
