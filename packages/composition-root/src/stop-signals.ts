/** The times of a stop that signals ask for, and which signals are the same one. */

/** A second signal within this many milliseconds is the first one again; a later one ends the waiting. */
const sameSignal = 500
/** When the process ends even if a store hasn't closed, in milliseconds after the delay. */
export const latestEnd = 9800
/** Time limit for closing the stores after a second signal, in milliseconds. */
export const latestClose = 1000

/**
 * Calls `first` at the first signal, and `second` at later ones. A signal that is received twice at once counts once, since npm
 * forwards a signal that the terminal has also sent to the service.
 */
export const onTwoSignals = <S>(
  first: (signal: S) => void,
  second: () => void,
): { readonly hear: (signal: S) => void } => {
  let heard: number | null = null
  return {
    hear: (signal) => {
      if (heard === null) {
        heard = performance.now()
        first(signal)
      } else if (performance.now() - heard > sameSignal) second()
    },
  }
}
