/** The service, which kills itself where it would remove a draft that it has published. */
import {
  configurationOfProcess,
  createContainer,
  startService,
  tokens,
} from '@publishing-service/composition-root'
import { E } from '@publishing-service/domain/fp'
import { moduleProviding } from '../harness/start-test-service.js'

const found = await configurationOfProcess()
if (E.isLeft(found)) throw new Error(found.left.join('\n'))
const { configuration } = found.right
const documents = await createContainer(configuration).getAsync(tokens.documents)

const { url } = await startService(configuration, {
  documents: moduleProviding(tokens.documents, {
    ...documents,
    write: (collection, instance, change, appended) => {
      if (collection === 'drafts' && change.kind === 'remove') process.kill(process.pid, 'SIGKILL')
      return documents.write(collection, instance, change, appended)
    },
  }),
})
process.stdout.write(`The service listens on ${url}\n`)
