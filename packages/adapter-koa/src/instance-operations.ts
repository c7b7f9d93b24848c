import { notFound, pipe, TE, type Json } from '@publishing-service/domain'
import type { UseCases } from '@publishing-service/application'
import { instanceUrl } from '@publishing-service/http-contract'
import { json } from './answer.js'
import type { Handlers } from './handlers.js'
import type { HttpOptions } from './http-options.js'
import { pageAnswer } from './object-operations.js'
import { parameter, type InstanceRequest } from './wire-request.js'

const settingsOf = ({ caller }: InstanceRequest): Readonly<Record<string, Json>> => ({
  ...caller.instance.settings,
})

/** The instance itself: its collections and settings (decisions §5.1, §5.2). */
export const instanceOperations = (useCases: UseCases, { bareLinks }: HttpOptions) =>
  ({
    listCollections: (request) =>
      pipe(
        useCases.listCollections(request.caller, request.context.query),
        TE.map((listing) => pageAnswer(request, listing, bareLinks)),
      ),
    readSettings: (request) => TE.right(json(settingsOf(request))),
    readSetting: (request) => {
      const settings = settingsOf(request)
      const name = parameter(request, 'name')
      return Object.hasOwn(settings, name) ? TE.right(json(settings[name] ?? null)) : TE.left(notFound)
    },
    replaceSettings: (request) => writeSettings(useCases, request, 'put'),
    changeSettings: (request) => writeSettings(useCases, request, 'patch'),
  }) satisfies Partial<Handlers>

const writeSettings = (useCases: UseCases, request: InstanceRequest, mode: 'put' | 'patch') =>
  pipe(
    useCases.instances.change(request.caller, mode, request.input, request.precondition),
    TE.map(() => json({ url: `${instanceUrl(request.base, request.caller.instance.number)}/settings` })),
  )
