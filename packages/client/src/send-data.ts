export type Progress = { readonly sent: number; readonly total: number }

export type Sending = {
  readonly url: string
  readonly headers: Headers
  readonly data: Blob
  readonly signal: AbortSignal
  readonly onProgress?: (progress: Progress) => void
}

type Reporting = Required<Sending>

const chunkSize = 65_536

const counted = ({ data, onProgress }: Reporting): ReadableStream<Uint8Array> => {
  let sent = 0
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const chunk = await data.slice(sent, sent + chunkSize).arrayBuffer()
      if (chunk.byteLength > 0) controller.enqueue(new Uint8Array(chunk))
      sent += chunk.byteLength
      onProgress({ sent, total: data.size })
      if (sent >= data.size) controller.close()
    },
  })
}

const responseOf = (request: XMLHttpRequest): Response => {
  const lines = request.getAllResponseHeaders().matchAll(/^([^:\s]+): *(.*)$/gm)
  const headers = Array.from(lines, ([, name = '', value = '']): [string, string] => [name, value])
  return new Response(request.responseText, { status: request.status, headers })
}

const sendByXmlHttpRequest = async ({ url, headers, data, signal, onProgress }: Reporting) => {
  signal.throwIfAborted()
  const request = new XMLHttpRequest()
  await new Promise<void>((resolve, reject) => {
    const abort = () => request.abort()
    request.open('POST', url)
    headers.forEach((value, name) => request.setRequestHeader(name, value))
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress({ sent: loaded, total }))
    request.addEventListener('load', () => resolve())
    request.addEventListener('error', () => reject(new TypeError('the upload failed')))
    request.addEventListener('abort', () => reject(signal.reason))
    request.addEventListener('loadend', () => signal.removeEventListener('abort', abort))
    signal.addEventListener('abort', abort)
    request.send(data)
  })
  return responseOf(request)
}

/**
 * POSTs data. With `onProgress`, a browser sends it by XMLHttpRequest, because its `fetch` streams over HTTP/2 only and
 * reports no progress. Elsewhere the data is streamed and counted on the way.
 */
export const sendData = (fetch: typeof globalThis.fetch, sending: Sending): Promise<Response> => {
  const { url, headers, data, signal, onProgress } = sending
  const init = { method: 'POST', headers, signal }
  if (onProgress === undefined) return fetch(url, { ...init, body: data })
  const reporting = { ...sending, onProgress }
  if ('XMLHttpRequest' in globalThis) return sendByXmlHttpRequest(reporting)
  // With credentials, `fetch` fails on 401 because it cannot read a stream again.
  const streaming = { ...init, credentials: 'omit', duplex: 'half' } as const
  return fetch(url, { ...streaming, body: counted(reporting) })
}
