/** The part of the renderer’s interface that the reference page uses. */

type Immutable = { readonly toJS: () => unknown }

/** An element of the React of the renderer, which is opaque here. */
export type Element = { readonly type: unknown }
export type Component<P = Readonly<Record<string, unknown>>> = (props: P) => Element | null

/** A child of an element. */
export type Child = Element | string | null

export type React = {
  readonly createElement: (
    type: string | Component<never>,
    props: Readonly<Record<string, unknown>> | null,
    ...children: readonly Child[]
  ) => Element
}

/** The interface that the renderer passes to its plugins. */
export type System = {
  readonly React: React
  readonly getComponent: (name: string, connected?: boolean) => Component
  readonly specSelectors: {
    readonly specResolvedSubtree: (path: readonly string[]) => Immutable | undefined
    readonly parameterValues: (pathMethod: readonly [string, string]) => Immutable
  }
  readonly oas3Selectors: {
    readonly requestBodyValue: (path: string, method: string) => unknown
  }
  readonly fn: {
    readonly getSampleSchema: (schema: unknown, type: string, options: object) => unknown
  }
  readonly layoutActions: { readonly parseDeepLinkHash: (hash: string) => void }
}

export type Request = { url: string; headers: Record<string, string> }

export type Plugin = (system: System) => {
  readonly components?: Readonly<Record<string, Component<never>>>
  readonly wrapComponents?: Readonly<
    Record<string, (original: Component, system: System) => Component<never>>
  >
}

export type Options = {
  readonly spec: unknown
  readonly domNode: Element | HTMLElement
  readonly layout: string
  readonly plugins: readonly Plugin[]
  readonly deepLinking: boolean
  readonly docExpansion: 'none' | 'list' | 'full'
  readonly defaultModelsExpandDepth: number
  readonly defaultModelExpandDepth: number
  readonly displayRequestDuration: boolean
  readonly tryItOutEnabled: boolean
  readonly validatorUrl: null
  readonly requestInterceptor: (request: Request) => Request
}

declare global {
  /** Swagger UI, which its script defines. */
  var SwaggerUIBundle: (options: Options) => { readonly getSystem: () => System }
}
