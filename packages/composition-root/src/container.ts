import 'reflect-metadata'
import { Container, ContainerModule } from 'inversify'
import type { Configuration } from './configuration.js'
import { applicationModule } from './modules/application-module.js'
import { httpModule } from './modules/http-module.js'
import { imagingModules } from './modules/imaging-modules.js'
import { rateLimitModule } from './modules/rate-limit-module.js'
import { blobsModule, documentsModule } from './modules/storage-module.js'
import { systemModule } from './modules/system-module.js'
import { provide } from './token.js'
import { tokens } from './tokens.js'

/** The module behind each part. */
export type Modules = Readonly<
  Record<
    'documents' | 'blobs' | 'imaging' | 'system' | 'application' | 'rateLimits' | 'http',
    ContainerModule
  >
>

/** The modules that a program can replace. Its stores are chosen by STORE and BLOBS. */
export type ReplaceableModules = Omit<Modules, 'documents' | 'blobs'>

const modulesFor = (configuration: Configuration): Modules => ({
  documents: documentsModule(),
  blobs: blobsModule(),
  imaging: imagingModules[configuration.IMAGING](),
  system: systemModule(),
  application: applicationModule(),
  rateLimits: rateLimitModule(),
  http: httpModule(),
})

/** A container for one configuration, with some of its modules replaced. Each part is made when it is first resolved. */
export const createContainer = (configuration: Configuration, replaced: Partial<Modules> = {}): Container => {
  const container = new Container()
  const own = new ContainerModule((options) => {
    provide(options)(tokens.configuration, [], () => configuration)
  })
  container.load(own, ...Object.values({ ...modulesFor(configuration), ...replaced }))
  return container
}
