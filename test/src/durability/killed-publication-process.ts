/** The service, which kills itself once it has published a draft, before it responds. */
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
    write: (instance, changes, appended) => async () => {
      const written = await documents.write(instance, changes, appended)()
      if (changes.some(({ collection, kind }) => collection === 'drafts' && kind === 'remove'))
        process.kill(process.pid, 'SIGKILL')
      return written
    },
  }),
})
process.stdout.write(`The service listens on ${url}\n`)
