export { admin } from './admin.js'
export { doctorChecks } from './doctor/checks.js'
export { commandSummaries, type CommandSummary } from './read-command-line.js'
