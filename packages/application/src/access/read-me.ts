import { deploymentOperations, type Me } from '@publishing-service/access'
import { systemCollections } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import type { DeploymentOperation } from '../deployment-operation.js'
import { instanceOf, isLiveInstance, StoredInstance } from './stored-instance.js'

const batchSize = 1000

/** Who the token is. Needs one query for each thousand instances. */
export const readMe: DeploymentOperation<null, Me> = {
  ...deploymentOperations.readMe,
  run: async ({ caller, rights: { roles }, systemDocuments }) => {
    const instances = new Map<number, Pick<Me['items'][number], 'title' | 'timezone'>>()
    for (let skip = 0; skip < roles.length; skip += batchSize) {
      const ids = roles.slice(skip, skip + batchSize).map(({ instance }) => String(instance))
      const found = await systemDocuments.getMany(systemCollections.instances.name, ids, 'light')
      for (const stored of found.map((each) => decodeStored(StoredInstance, each)))
        if (isLiveInstance(stored)) {
          const { title, timezone } = instanceOf(stored.number, stored).settings
          instances.set(stored.number, { title, timezone })
        }
    }
    return {
      uuid: caller.id,
      name: caller.user,
      api_key: caller.key,
      operator: caller.rights.operator,
      needs_second_factor: caller.session?.needsSecondFactor ?? false,
      items: roles.flatMap(({ instance: id, roles: held }) => {
        const instance = instances.get(id)
        return instance === undefined ? [] : [{ id, ...instance, roles: held }]
      }),
    }
  },
}
