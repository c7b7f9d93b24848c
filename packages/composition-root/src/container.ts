import 'reflect-metadata'
import { Container, ContainerModule } from 'inversify'
import type { Configuration } from './configuration.js'
import {
  applicationModule,
  httpModule,
  imagingModules,
  rateLimitModule,
  blobsModule,
  documentsModule,
  systemModule,
} from './modules.js'
import { provide, tokens } from './tokens.js'

/** The module of each part. */
export type Modules = Readonly<
  Record<
    'documents' | 'blobs' | 'imaging' | 'system' | 'application' | 'rateLimits' | 'http',
    ContainerModule
  >
>

/** The modules that a program can replace. Its stores are chosen by STORE and BLOBS. */
export type ReplaceableModules = Omit<Modules, 'documents' | 'blobs'>

const modulesFor = (configuration: Configuration): Modules => ({
  documents: documentsModule,
  blobs: blobsModule,
  imaging: imagingModules[configuration.IMAGING],
  system: systemModule,
  application: applicationModule,
  rateLimits: rateLimitModule,
  http: httpModule,
})

/** A container for one configuration, with some of its modules replaced. Each part is created when it is first resolved. */
export const createContainer = (configuration: Configuration, replaced: Partial<Modules> = {}): Container => {
  const container = new Container()
  const own = new ContainerModule((options) => {
    provide(options)(tokens.configuration, [], () => configuration)
  })
  container.load(own, ...Object.values({ ...modulesFor(configuration), ...replaced }))
  return container
}
