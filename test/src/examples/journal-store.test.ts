/**
 * The service on the journal store of docs/examples/journal-store, which STORE names as a package: acknowledged writes
 * survive a kill.
 */
import { join } from 'node:path'
import { makeDataFolder } from '../durability/data-folder.js'
import { describeKills } from '../durability/describe-kills.js'
import { killWhileStarting, startServiceProcess } from '../durability/service-process.js'

describeKills(
  'the journal example',
  async () => {
    const { path, remove } = await makeDataFolder()
    const environment = { STORE: 'package:journal-store', JOURNAL_FILE: join(path, 'documents.jsonl') }
    return {
      folder: null,
      start: () => startServiceProcess(path, environment),
      startAndKill: (milliseconds) => killWhileStarting(path, milliseconds, environment),
      check: () => [],
      remove,
    }
  },
  { 1: 1 },
)
