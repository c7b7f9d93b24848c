/** The publishing service on the journal: `node dist/start.js`, configured by the environment as ever. */
import { main } from '@publishing-service/composition-root'
import { journalModule } from './journal-module.js'

await main({ documents: journalModule })
