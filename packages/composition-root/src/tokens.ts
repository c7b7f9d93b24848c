import type { HttpServer } from '@publishing-service/adapter-koa'
import type { Deployment, ReadRate, SharedRates, UseCases } from '@publishing-service/application'
import type {
  BlobStore,
  Checksum,
  Clock,
  DocumentStore,
  Ids,
  Imaging,
  Log,
  Secrets,
} from '@publishing-service/ports'
import {
  ContainerModule,
  type Container,
  type ContainerModuleLoadOptions,
  type MapToResolvedValueInjectOptions,
} from 'inversify'
import type { Configuration } from './configuration.js'

declare const bound: unique symbol

/** Identifies a part of the container, and has its type. */
export type Token<T> = symbol & { readonly [bound]?: T }

const token = <T>(name: string): Token<T> => Symbol(name)

type Resolved<D extends readonly Token<unknown>[]> = {
  readonly [I in keyof D]: D[I] extends Token<infer T> ? T : never
}

/**
 * Binds a token to a factory over other tokens, made once. A missing or swapped dependency doesn't compile. `close`
 * runs when the container is emptied.
 */
export const provide =
  ({ bind }: ContainerModuleLoadOptions) =>
  <T, const D extends readonly Token<unknown>[]>(
    name: Token<T>,
    dependencies: D,
    make: (...resolved: Resolved<D>) => T | Promise<T>,
    close?: (value: T) => Promise<void>,
  ): void => {
    // The container types symbols as unknown. This is the only cast.
    const binding = bind<T>(name)
      .toResolvedValue(
        make as unknown as (...values: unknown[]) => T | Promise<T>,
        [...dependencies] as unknown as MapToResolvedValueInjectOptions<unknown[]>,
      )
      .inSingletonScope()
    if (close !== undefined) binding.onDeactivation(close)
  }

/** A module that binds one token, as `provide` does. */
export const providing = <T, const D extends readonly Token<unknown>[]>(
  name: Token<T>,
  dependencies: D,
  make: (...resolved: Resolved<D>) => T | Promise<T>,
  close?: (value: T) => Promise<void>,
): ContainerModule =>
  new ContainerModule((options) => {
    provide(options)(name, dependencies, make, close)
  })

/** The value of a token, created with its dependencies. Rejects if one of them cannot be created. */
export const resolve = <T>(container: Container, name: Token<T>): Promise<T> => container.getAsync<T>(name)

/** Limits of rates; null where there are none, or where they aren't shared. */
type RateLimiting = { readonly readRate: ReadRate | null; readonly shared: SharedRates | null }

/** Everything that the container can return. */
export const tokens = {
  configuration: token<Configuration>('configuration'),
  deployment: token<Deployment>('deployment'),
  documents: token<DocumentStore>('document store'),
  blobs: token<BlobStore>('blob store'),
  imaging: token<Imaging>('imaging'),
  clock: token<Clock>('clock'),
  ids: token<Ids>('ids'),
  secrets: token<Secrets>('secrets'),
  checksum: token<() => Checksum>('checksum'),
  log: token<Log>('log'),
  useCases: token<UseCases>('use cases'),
  rateLimits: token<RateLimiting>('rate limits'),
  httpServer: token<HttpServer>('HTTP server'),
} as const
