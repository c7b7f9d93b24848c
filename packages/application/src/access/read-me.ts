import { E, deploymentOperations, type Me } from '@publishing-service/domain'
import { systemCollections } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import type { DeploymentOperation } from '../deployment-operation.js'
import { instanceOf, isLiveInstance, StoredInstance } from './stored-instance.js'

const batchSize = 1000

/** Who the token is. Needs one query for each thousand instances. */
export const readMe: DeploymentOperation<null, Me> = {
  ...deploymentOperations.readMe,
  run:
    ({ caller, rights, systemDocuments }) =>
    async () => {
      const titles = new Map<number, string>()
      for (let skip = 0; skip < rights.roles.length; skip += batchSize) {
        const ids = rights.roles.slice(skip, skip + batchSize).map(({ instance }) => String(instance))
        const found = await systemDocuments.getMany(systemCollections.instances.name, ids, 'light')()
        if (E.isLeft(found)) return found
        for (const document of found.right) {
          const stored = decodeStored(StoredInstance, document)
          if (isLiveInstance(stored))
            titles.set(stored.number, instanceOf(stored.number, stored).settings.title)
        }
      }
      return E.right({
        user: caller.id,
        name: caller.user,
        apiKey: caller.key,
        operator: caller.isOperator,
        instances: rights.roles.flatMap((held) => {
          const title = titles.get(held.instance)
          return title === undefined ? [] : [{ ...held, title }]
        }),
      })
    },
}
