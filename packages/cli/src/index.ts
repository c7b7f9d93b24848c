export { admin } from './admin.js'
export { commandSummaries, type CommandSummary } from './read-command-line.js'
