/** The administration of instances (docs/behaviour/administration.md#instances). */
import { notFound, viewOf } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Parameters, Listing } from '@publishing-service/domain/lists'
import { deploymentOperations, instanceRows } from '@publishing-service/access'
import { isLiveInstance, StoredInstance } from '../access/stored-instance.js'
import { fail, orThrow } from '../attempt.js'
import { systemCollections } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import type { DeploymentOperation, DeploymentSession } from '../deployment-operation.js'
import { requirePrecondition } from '../engine/precondition.js'
import type { InstanceRow } from './administer-instances.js'
import { titleIn } from './confirmation.js'
import { deploymentView, listRows } from './list-rows.js'

const { name: collection } = systemCollections.instances

/** The instances that are not deleted. */
export const listInstances: DeploymentOperation<{ readonly parameters: Parameters }, Listing> = {
  ...deploymentOperations.listInstances,
  run: (session, { parameters }) =>
    listRows(session, {
      collection,
      rows: instanceRows,
      parameters,
      where: [
        { key: 'deleted', equals: null },
        { key: 'importing', equals: null },
      ],
      initialOrder: [{ key: 'number', direction: 'asc' }],
    }),
}

type Instance = { readonly instance: number }

const shown = (session: DeploymentSession, instance: number, value: JsonObject): JsonObject =>
  viewOf(instanceRows, value, deploymentView(session, String(instance)))

export const readInstance: DeploymentOperation<Instance, JsonObject> = {
  ...deploymentOperations.readInstance,
  run: async (session, { instance }) => {
    const found = await session.systemDocuments.get(collection, String(instance))
    if (found === null || !isLiveInstance(decodeStored(StoredInstance, found))) fail(notFound)
    return shown(session, instance, found.value)
  },
}

/** Creates an instance with the next free number. */
export const createInstance: DeploymentOperation<{ readonly body: JsonObject }, InstanceRow> = {
  ...deploymentOperations.createInstance,
  run: ({ administerInstances, strict, recorded }, { body }) =>
    orThrow(administerInstances.createNext(body, strict, recorded)),
  changed: (_input, { id, settings }) => [
    { object: String(id), title: String(settings['title']), changes: settings },
  ],
}

/** Marks an instance as deleted, and returns its title. Its data is removed afterwards. */
export const removeInstance: DeploymentOperation<Instance & { readonly parameters: Parameters }, string> = {
  ...deploymentOperations.removeInstance,
  run: async (session, { instance, parameters }) => {
    const { deleteInstance, precondition, recorded } = session
    const title = titleIn(parameters)
    const check = (value: JsonObject) => requirePrecondition(precondition, shown(session, instance, value))
    await orThrow(deleteInstance.begin({ number: instance, title, check }, recorded))
    return title
  },
  changed: ({ instance }, title) => [{ object: String(instance), title, changes: { title } }],
}
