import { editingRoleOn, personRows } from '@publishing-service/access'
import { userIn } from './access/stored-user.js'
import { listRows } from './administration/list-rows.js'
import { ChangeRecords } from './audit/change-records.js'
import { systemCollections } from './collections.js'
import type { DeploymentServices } from './deployment-operation.js'
import type { KeyedMutex } from './keyed-mutex.js'
import type { Services, SessionSource } from './session.js'

/** What the sessions of all instances are made of. */
export const sessionSource = (
  services: Services,
  deploymentServices: DeploymentServices,
  exclusively: KeyedMutex,
): SessionSource => ({
  services,
  exclusively,
  recordsOf: (documents) =>
    new ChangeRecords(deploymentServices.systemDocuments, documents, documents.instance),
  peoplePage: ({ instance: { number }, links, strict: isStrict }, parameters) =>
    listRows(
      { ...deploymentServices, links, strict: isStrict },
      {
        collection: systemCollections.users.name,
        rows: personRows,
        parameters,
        initialOrder: [{ key: 'name', direction: 'asc' }],
        test: (value) => editingRoleOn(userIn({ id: '', value }), number) !== null,
        stateOf: (document) => {
          const user = userIn(document)
          return { name: user.name, role: editingRoleOn(user, number) }
        },
      },
    ),
  recordsPage: ({ instance, links, strict: isStrict }, { where = [], ...query }) =>
    listRows(
      { ...deploymentServices, links, strict: isStrict },
      {
        ...query,
        collection: systemCollections.audit.name,
        where: [{ key: 'instance', equals: instance.number }, ...where],
      },
    ),
})
