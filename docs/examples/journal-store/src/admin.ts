/** The administration commands on the journal: `node dist/admin.js key create --instance 1 --role admin`. */
import { admin } from '@publishing-service/composition-root'
import { journalModule } from './journal-module.js'

await admin({ documents: journalModule })
