import { badParameters, E, isThumbnailKind, notFound, parseBox, pipe, TE } from '@publishing-service/domain'
import type { DownloadRequest, UseCases } from '@publishing-service/application'
import { json, type Answer } from './answer.js'
import { defaultThumbnail } from './default-thumbnail.js'
import type { Handlers } from './handlers.js'
import { encodingProblem } from './read-body.js'
import { parameter, preconditionIn, queryText, type InstanceRequest } from './wire-request.js'

const declaredLength = (header: string | undefined): number | undefined =>
  header === undefined ? undefined : Number(header)

/** Uploads and downloads of file data (specification, Files; decisions §10). */
export const fileOperations = (useCases: UseCases) =>
  ({
    uploadFile: (request) => {
      const { req } = request.context
      const problem = encodingProblem(req)
      if (problem !== null) return TE.left(problem)
      const id = parameter(request, 'uuid')
      return pipe(
        useCases.uploadFile(request.caller, id, {
          contentType: req.headers['content-type'],
          length: declaredLength(req.headers['content-length']),
          // Refused half way, the rest of the body is still the connection's, which the answer has to go out on.
          body: req.iterator({ destroyOnReturn: false }),
          ...preconditionIn(request),
        }),
        TE.map(({ upload }) =>
          json({
            download_url: request.caller.links.download(id, Number(upload)),
            url: request.caller.links.object('files', id),
            uuid: id,
          }),
        ),
      )
    },
    downloadFile: (request: InstanceRequest) => {
      const upload = parameter(request, 'upload')
      if (!/^\d{1,15}$/.test(upload)) return TE.left(notFound)
      const box = parseBox(queryText(request, 'w'), queryText(request, 'h'))
      if (E.isLeft(box)) return TE.left(badParameters(box.left))
      const wanted: DownloadRequest = {
        instance: request.caller.instance.number,
        fileId: parameter(request, 'uuid'),
        upload: Number(upload),
        box: box.right,
        client: request.caller.client,
      }
      return pipe(
        useCases.downloadFile(wanted),
        TE.map((download): Answer => ({ _tag: 'Data', download })),
      )
    },
    readDefaultThumbnail: (request: InstanceRequest) => {
      const kind = parameter(request, 'kind')
      return isThumbnailKind(kind)
        ? TE.right<never, Answer>({ _tag: 'Data', download: defaultThumbnail(kind) })
        : TE.left(notFound)
    },
  }) satisfies Partial<Handlers>
