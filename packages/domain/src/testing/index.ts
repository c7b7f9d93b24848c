/** Builders for tests of the domain, and of what is built on it. Generated values are in `testing/arbitraries`. */
export * from './circumstances.js'
export { decided, faultsAfter, stateAfter, whateverIsReferredTo, type Others } from './decided.js'
export { given, patch, put, type Result } from './given.js'
export { codes, messages } from './messages.js'
export { viewer } from './viewer.js'
export { viewOn } from './view-on.js'
export { command, storedState, write } from './write-command.js'
