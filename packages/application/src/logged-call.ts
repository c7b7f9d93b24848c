import { E, type TaskEither } from '@publishing-service/domain/fp'
import type { Clock, Log, LogFields } from '@publishing-service/ports'

export type LoggedCall = <F extends { readonly _tag: string }, A>(
  fields: LogFields,
  call: TaskEither<F, A>,
) => TaskEither<F, A>

/** Logs each completed call of a port with its duration, at level debug. Ids of documents are not logged, because those of
 * tokens are derived from the tokens. */
export const loggedCall = (event: string, log: Log, clock: Pick<Clock, 'monotonic'>): LoggedCall => {
  if (!log.enabled('debug')) return (_fields, call) => call
  return (fields, call) => async () => {
    const began = clock.monotonic()
    const outcome = await call()
    const failure = E.isLeft(outcome) ? outcome.left._tag : undefined
    log.write('debug', event, { ...fields, ms: millisecondsSince(clock, began), failure })
    return outcome
  }
}

/** Elapsed milliseconds, to the hundredth. */
export const millisecondsSince = (clock: Pick<Clock, 'monotonic'>, began: number): number =>
  Math.round((clock.monotonic() - began) * 100) / 100
