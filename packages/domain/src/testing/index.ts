/** Builders for tests of the domain, and of what is built on it. Generated values are in `testing/arbitraries`. */
export * from './circumstances.js'
export {
  decided,
  faultsAfter,
  stateAfter,
  whateverIsReferredTo,
  type Others,
  given,
  patch,
  put,
  type Result,
  codes,
  messages,
  command,
  storedState,
  write,
} from './decided.js'
