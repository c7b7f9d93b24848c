import { groupOf, type Endpoint } from '@publishing-service/http-contract'

/** The place of an operation on the reference page, where the renderer opens it. */
export const operationHref = (endpoint: Endpoint): string => `#/${groupOf(endpoint)}/${endpoint.id}`
