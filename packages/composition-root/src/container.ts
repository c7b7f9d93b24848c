import 'reflect-metadata'
import { Container, ContainerModule } from 'inversify'
import type { Configuration } from './configuration-table.js'
import { applicationModule } from './modules/application-module.js'
import { blobModules } from './modules/blob-modules.js'
import { httpModule } from './modules/http-module.js'
import { imagingModules } from './modules/imaging-modules.js'
import { storeModules } from './modules/store-modules.js'
import { systemModule } from './modules/system-module.js'
import { provide } from './token.js'
import { tokens } from './tokens.js'

/** The module behind each part; whoever composes a service of their own replaces the ones they bring. */
export type Modules = Readonly<
  Record<'documents' | 'blobs' | 'imaging' | 'system' | 'application' | 'http', ContainerModule>
>

export const modulesFor = (configuration: Configuration): Modules => ({
  documents: storeModules[configuration.STORE](),
  blobs: blobModules[configuration.BLOBS](),
  imaging: imagingModules[configuration.IMAGING](),
  system: systemModule(),
  application: applicationModule(),
  http: httpModule(),
})

/** A container for one configuration, with some of its modules replaced. Nothing is made until it is asked for. */
export const createContainer = (configuration: Configuration, replaced: Partial<Modules> = {}): Container => {
  const container = new Container()
  const own = new ContainerModule((options) => {
    provide(options)(tokens.configuration, [], () => configuration)
  })
  container.load(own, ...Object.values({ ...modulesFor(configuration), ...replaced }))
  return container
}
