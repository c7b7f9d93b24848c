/** Web hooks and their deliveries. */
export { hostOf, mayAttempt, nextAttempts, type Attempt } from '../webhook/attempt-places.js'
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
  type Webhook,
} from '../webhook/webhook.js'
export {
  afterAttempt,
  deliveryAttributes,
  deliveryFailures,
  deliveryRows,
  deliveryStates,
  deliveryTime,
  newProgress,
  retryDelay,
  type DeliveryAnswer,
  type DeliveryFailure,
  type Progress,
} from '../webhook/delivery.js'
