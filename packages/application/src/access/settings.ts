import { notFound, TE, type Json, type JsonObject } from '@publishing-service/domain'
import type { Operation, Session } from '../operation.js'

type SettingsWrite = { readonly body: JsonObject }

const settingsOf = ({ instance }: Session): JsonObject => ({ ...instance.settings })

/** All settings of the instance (docs/behaviour/instance.md#settings). */
export const readSettings: Operation<object, JsonObject> = {
  name: 'readSettings',
  subject: 'settings',
  action: 'read',
  run: (session) => TE.right(settingsOf(session)),
}

/** The value of one setting. */
export const readSetting: Operation<{ readonly name: string }, Json> = {
  name: 'readSetting',
  subject: 'settings',
  action: 'read',
  run: (session, { name }) => {
    const settings = settingsOf(session)
    return Object.hasOwn(settings, name) ? TE.right(settings[name] ?? null) : TE.left(notFound)
  },
}

/** Replaces all settings; those that are not sent get their defaults. */
export const replaceSettings: Operation<SettingsWrite, void> = {
  name: 'replaceSettings',
  subject: 'settings',
  action: 'update',
  changed: ({ body }) => ({ object: null, changes: body }),
  run: (session, { body }) => session.instances.change(session, 'put', body, session.precondition),
}

/** Changes the settings that are sent. */
export const changeSettings: Operation<SettingsWrite, void> = {
  name: 'changeSettings',
  subject: 'settings',
  action: 'update',
  changed: ({ body }) => ({ object: null, changes: body }),
  run: (session, { body }) => session.instances.change(session, 'patch', body, session.precondition),
}
