// Inversify needs the metadata functions, and they must exist before it is loaded.
import 'reflect-metadata'
import { Container, ContainerModule } from 'inversify'
import type { Configuration } from './configuration.js'
import {
  blobsModule,
  documentsModule,
  identityModule,
  imagingModules,
  serviceModule,
  systemModule,
  watchModule,
  webhooksModule,
} from './modules.js'
import { tokens } from './tokens.js'
import type { WorkerProcess } from './workers/worker-process.js'

const modulesFor = ({ IMAGING }: Configuration) => ({
  documents: documentsModule,
  blobs: blobsModule,
  imaging: imagingModules[IMAGING],
  system: systemModule,
  watch: watchModule,
  webhooks: webhooksModule,
  identity: identityModule,
})

export type { Container }

/** The modules of the adapters. */
export type Modules = Readonly<ReturnType<typeof modulesFor>>

/** The modules that a program can replace. Its stores are chosen by STORE and BLOBS. */
export type ReplaceableModules = Omit<Modules, 'documents' | 'blobs'>

/**
 * A container for one configuration, with some of its modules replaced. Each part is created once, when it is first
 * requested, and closed by `unbindAll`.
 */
export const createContainer = (
  configuration: Configuration,
  replaced: Partial<Modules> = {},
  worker: WorkerProcess | null = null,
): Container => {
  const container = new Container({ defaultScope: 'Singleton' })
  container.bind(tokens.configuration).toConstantValue(configuration)
  container.bind(tokens.worker).toConstantValue(worker)
  container.loadSync(
    serviceModule,
    ...Object.values<ContainerModule>({ ...modulesFor(configuration), ...replaced }),
  )
  return container
}

/** Closes the stores and the imaging, each also if another cannot be closed or was never opened. The rest remains. */
export const closeStores = async (container: Container): Promise<void> => {
  const parts = [tokens.imaging, tokens.blobs, tokens.documents]
  await Promise.allSettled(parts.map((part) => container.unbind(part)))
}

/** Closes everything. Never rejects: a part that could not be opened rejects once more when it is to be closed. */
export const closeAll = async (container: Container): Promise<void> => {
  await closeStores(container)
  await Promise.allSettled([container.unbindAll()])
}
