export { admin } from './admin.js'
export type { CommandHelp } from './command-helps.js'
export { commandHelps } from './read-command-line.js'
