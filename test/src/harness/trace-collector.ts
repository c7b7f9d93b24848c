/** A collector of traces on this machine, which receives spans by OTLP over HTTP, in JSON. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { isJsonObject, type Json, type JsonObject } from '@publishing-service/domain/json'

export type CollectedSpan = {
  readonly name: string
  readonly trace: string
  readonly id: string
  /** Empty for the first span of a trace. */
  readonly parent: string
  /** 1 internal, 2 server, 3 client. */
  readonly kind: Json
  readonly isError: boolean
  readonly attributes: JsonObject
  /** Nanoseconds since 1970. */
  readonly start: bigint
  readonly end: bigint
}

export type TraceCollector = {
  readonly url: string
  readonly spans: () => readonly CollectedSpan[]
  /** Headers of the requests that it has got. */
  readonly headers: readonly IncomingHttpHeaders[]
  /** What identifies the service in the last request. */
  readonly resource: () => JsonObject
  /** Waits for a span, and returns it. */
  readonly until: (isWanted: (span: CollectedSpan) => boolean) => Promise<CollectedSpan>
  /** All text that it has got. */
  readonly text: () => string
  readonly close: () => Promise<void>
}

const listIn = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : []

const objectIn = (value: Json | undefined): JsonObject =>
  value !== undefined && isJsonObject(value) ? value : {}

const attributesIn = (value: Json | undefined): JsonObject =>
  Object.fromEntries(
    listIn(value).map(({ key, value: held }) => {
      const [found = null] = Object.values(objectIn(held))
      return [String(key), found]
    }),
  )

const spanOf = (span: JsonObject): CollectedSpan => ({
  name: String(span['name']),
  trace: String(span['traceId']),
  id: String(span['spanId']),
  parent: String(span['parentSpanId'] ?? ''),
  kind: span['kind'] ?? null,
  isError: objectIn(span['status'])['code'] === 2,
  attributes: attributesIn(span['attributes']),
  start: BigInt(String(span['startTimeUnixNano'])),
  end: BigInt(String(span['endTimeUnixNano'])),
})

export const startTraceCollector = async (port = 0): Promise<TraceCollector> => {
  const texts: string[] = []
  const headers: IncomingHttpHeaders[] = []
  const server: Server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (piece: string) => (text += piece))
    request.on('end', () => {
      texts.push(text)
      headers.push({ ...request.headers, ':path': request.url })
      response.setHeader('Content-Type', 'application/json')
      response.end('{}')
    })
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const resources = (): readonly JsonObject[] =>
    texts.flatMap((text) => listIn(objectIn(JSON.parse(text) as Json)['resourceSpans']))
  const spans = (): readonly CollectedSpan[] =>
    resources()
      .flatMap((each) => listIn(each['scopeSpans']))
      .flatMap((each) => listIn(each['spans']))
      .map(spanOf)
  return {
    url: `http://127.0.0.1:${address.port}`,
    spans,
    headers,
    resource: () => attributesIn(objectIn(resources().at(-1)?.['resource'])['attributes']),
    until: async (isWanted) => {
      for (;;) {
        const found = spans().find(isWanted)
        if (found !== undefined) return found
        await wait(10)
      }
    },
    text: () => texts.join('\n'),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
