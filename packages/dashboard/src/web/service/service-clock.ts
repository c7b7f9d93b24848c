import { clockOfService } from '../../publication/service-time.js'

/** The time of the service that has these pages. */
export const serviceClock = clockOfService(
  () => performance.now(),
  () => Date.now(),
)

/** `fetch` that sets the clock by the responses. */
export const timedFetch: typeof fetch = async (...request) => {
  const response = await fetch(...request)
  serviceClock.hear(response.headers.get('Date'))
  return response
}
