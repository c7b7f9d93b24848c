import type { JsonObject } from '@publishing-service/domain/json'

/**
 * A key in the stored value of an object that is being deleted. It is not an attribute: a write of the object removes
 * it. That cancels the deletion, which only removes the version that it has marked.
 */
const deletionMark = 'being_deleted'

export const withDeletionMark = (value: JsonObject): JsonObject => ({ ...value, [deletionMark]: true })
export const withoutDeletionMark = ({ [deletionMark]: _mark, ...value }: JsonObject): JsonObject => value
export const hasDeletionMark = (value: JsonObject): boolean => value[deletionMark] !== undefined
