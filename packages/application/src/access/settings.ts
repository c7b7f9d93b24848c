import { notFound, type WriteMode } from '@publishing-service/domain'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { operations } from '@publishing-service/domain/roles'
import { fail } from '../attempt.js'
import type { ReadOperation, WriteOperation } from '../operation.js'
import type { Session } from '../session.js'

type SettingsWrite = { readonly body: JsonObject }

const settingsOf = ({ instance }: Session): JsonObject => ({ ...instance.settings })

/** All settings of the instance (docs/behaviour/instance.md#settings). */
export const readSettings: ReadOperation<object, JsonObject> = {
  ...operations.readSettings,
  run: async (session) => settingsOf(session),
}

/** The value of one setting. */
export const readSetting: ReadOperation<{ readonly name: string }, Json> = {
  ...operations.readSetting,
  run: async (session, { name }) => {
    const settings = settingsOf(session)
    if (!Object.hasOwn(settings, name)) fail(notFound)
    return settings[name] ?? null
  },
}

const changeSettingsOf = (session: Session, mode: WriteMode, body: JsonObject): Promise<void> => {
  const { instances, precondition, documents } = session
  return instances.change(session, mode, body, precondition, documents.recorded)
}

/** Replaces all settings; those that are not sent get their defaults. */
export const replaceSettings: WriteOperation<SettingsWrite, void> = {
  ...operations.replaceSettings,
  changed: ({ body }) => ({ object: null, changes: body }),
  run: (session, { body }) => changeSettingsOf(session, 'put', body),
}

/** Changes the settings that are sent. */
export const changeSettings: WriteOperation<SettingsWrite, void> = {
  ...operations.changeSettings,
  changed: ({ body }) => ({ object: null, changes: body }),
  run: (session, { body }) => changeSettingsOf(session, 'patch', body),
}
