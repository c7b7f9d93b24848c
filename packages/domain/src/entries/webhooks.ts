/** Web hooks and their deliveries. */
export {
  eventOf,
  formerSecretTime,
  isSelected,
  isTooLongFailing,
  switchOffReasons,
  testEvent,
  webhookAttributes,
  webhookEvents,
  webhookRows,
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
