import type { Resource } from '@publishing-service/domain'
import { preview, previewRequest } from '@publishing-service/access'
import { operations } from '@publishing-service/domain/roles'
import { draftShapeOf, segmentsOf } from '@publishing-service/domain/engine'
import { instanceEndpoint } from '../endpoint.js'
import { namedResource, pascalCase, type NamedShape } from '../payload.js'
import { deleted, objectOf, writtenIn } from '../response.js'

/** One schema for all variants: each object is described by its own already, and a draft has the variant of its object. */
const namedDraft = (resource: Resource): NamedShape => {
  const whole = namedResource(resource)
  const { variant: _none, examples, ...shape } = draftShapeOf(resource)
  return {
    name: `${whole.name}Draft`,
    description: `A draft, with the attributes of ${whole.name}. ${whole.description}`,
    shape: {
      ...shape,
      ...(examples === undefined ? {} : { examples: { ...examples, bodies: examples.bodies.slice(0, 1) } }),
    },
    extends: whole,
  }
}

const previewRequestShape: NamedShape = {
  name: 'PreviewRequest',
  description: 'For how long a preview is valid.',
  shape: previewRequest,
}

const previewShape: NamedShape = {
  name: 'Preview',
  description: 'A preview of one object.',
  shape: preview,
}

/** The endpoints of the drafts and previews of the objects of a resource (docs/behaviour/drafts.md). */
export const draftEndpoints = (resource: Resource) => {
  const { collection, name } = resource
  const path = `/{iid}/${segmentsOf(resource)}/{uuid}/draft` as const
  const previewPath = `/{iid}/${segmentsOf(resource)}/{uuid}/preview` as const
  const single = pascalCase(name)
  const shape = namedDraft(resource)
  const whole = { _tag: 'Object', of: shape } as const
  return {
    read: instanceEndpoint({
      operation: operations.readDraft(collection),
      id: `read${single}Draft`,
      method: 'GET',
      path,
      summary: `Read the draft of a ${name}`,
      description: 'The object with the changes of its draft. 404 if it has none.',
      caching: 'unstored',
      body: 'none',
      input: ({ path: { uuid } }) => ({ id: uuid }),
      response: objectOf(shape),
    }),
    replace: instanceEndpoint({
      operation: operations.replaceDraft(collection),
      id: `replace${single}Draft`,
      method: 'PUT',
      path,
      summary: `Replace the draft of a ${name}`,
      description:
        'Replaces all attributes of the draft, as PUT does with the object, which stays as it is. Makes the draft if there is none.',
      body: 'object',
      requestPayload: whole,
      input: ({ path: { uuid }, body }) => ({ id: uuid, body }),
      response: writtenIn(collection),
    }),
    change: instanceEndpoint({
      operation: operations.changeDraft(collection),
      id: `change${single}Draft`,
      method: 'PATCH',
      path,
      summary: `Change the draft of a ${name}`,
      description:
        'Changes only the attributes that are sent; the object stays as it is. Makes the draft if there is none.',
      body: 'object',
      requestPayload: whole,
      input: ({ path: { uuid }, body }) => ({ id: uuid, body }),
      response: writtenIn(collection),
    }),
    remove: instanceEndpoint({
      operation: operations.removeDraft(collection),
      id: `remove${single}Draft`,
      method: 'DELETE',
      path,
      summary: `Drop the draft of a ${name}`,
      description: 'The object stays as it is.',
      body: 'none',
      input: ({ path: { uuid } }) => ({ id: uuid }),
      response: deleted,
    }),
    createPreview: instanceEndpoint({
      operation: operations.createPreview(collection),
      id: `create${single}Preview`,
      method: 'POST',
      path: previewPath,
      summary: `Create a preview of a ${name}`,
      description:
        'A token that reads the object with its draft, published or not, and everything else as a `public_user`. It ends with the object, and with the key and the role of who has made it.',
      body: 'optional object',
      requestPayload: { _tag: 'Object', of: previewRequestShape },
      input: ({ path: { uuid }, body }) => ({ id: uuid, body }),
      response: objectOf(previewShape),
    }),
    removePreviews: instanceEndpoint({
      operation: operations.removePreviews(collection),
      id: `remove${single}Previews`,
      method: 'DELETE',
      path: previewPath,
      summary: `End all previews of a ${name}`,
      description: 'Their tokens end within 5 seconds.',
      body: 'none',
      input: ({ path: { uuid } }) => ({ id: uuid }),
      response: deleted,
    }),
    publish: instanceEndpoint({
      operation: operations.publishDraft(collection),
      id: `publish${single}Draft`,
      method: 'POST',
      path: `${path}/publish`,
      summary: `Publish the draft of a ${name}`,
      description:
        'Writes its changes to the object, as one version. All rules of a write apply. 412 names what has changed in the object since, if the draft changes it too.',
      body: 'none',
      input: ({ path: { uuid } }) => ({ id: uuid }),
      response: writtenIn(collection),
    }),
  }
}
