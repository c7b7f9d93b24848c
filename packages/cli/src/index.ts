export { admin } from './admin.js'
export { commandHelps, type CommandHelp } from './read-command-line.js'
