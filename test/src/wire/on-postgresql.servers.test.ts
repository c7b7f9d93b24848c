/** What depends on the order of commits, on PostgreSQL: with TEST_STORES=servers, services use it. */
import './changes.test.js'
import './clock-steps.test.js'
import './drafts.test.js'
import './webhooks.test.js'
