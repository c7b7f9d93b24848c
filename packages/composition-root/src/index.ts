export {
  type BackupPlace,
  backupPlaceName,
  backupSource,
  hasDocumentsFile,
  newBackupKey,
  openDocumentsFile,
  removeDocumentsFile,
  openBackupPlace,
  readDocumentsFile,
} from './backup-place.js'
export {
  asCommandLine,
  asOperator,
  asService,
  type RunOnDeployment,
  type RunOperation,
} from './as-service.js'
export { createBundle, openBundle } from './bundle-file.js'
export { errorText } from './error-messages.js'
export type { Configuration } from './configuration.js'
export { configurationTable, type Variable } from './configuration-table.js'
export {
  closeAll,
  createContainer,
  type Container,
  type Modules,
  type ReplaceableModules,
} from './container.js'
export { counted, numberInWords } from './counted.js'
export {
  documentsFile,
  missingData,
  prepareDataDirectory,
  storageReserve,
  usesDataDirectory,
} from './data-directory.js'
export { storesHelp } from './environment-help.js'
export {
  configurationOfFile,
  configurationOfProcess,
  environmentOfProcess,
  type Configured,
  type ReadEnvironment,
} from './environment.js'
export { printError, endProcess, exitCodes, type ExitCode } from './program-end.js'
export { firstKeyFile, setUpLinkFile } from './first-key.js'
export { localUrl } from './local-address.js'
export { main } from './main.js'
export { openImportTrial } from './import-trial.js'
export { openWebsite } from './media-fetcher.js'
export { readConfiguration } from './read-configuration.js'
export { startService, type Service } from './service.js'
export { openExportBlobs } from './stores/built-in-stores.js'
export { supportedNode } from './supported-node.js'
export { tokens } from './tokens.js'
export { similarWords } from './spelling.js'
export { rejectUnfinishedCopy } from './store-checks.js'
export { welcome } from './welcome.js'
