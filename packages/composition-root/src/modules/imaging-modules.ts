import { ContainerModule } from 'inversify'
import { jimpImaging } from '@publishing-service/adapter-jimp'
import { provide } from '../token.js'
import { tokens } from '../tokens.js'

const jimpModule = () =>
  new ContainerModule((options) => {
    provide(options)(
      tokens.imaging,
      [],
      () => jimpImaging(),
      (imaging) => imaging.close(),
    )
  })

/** The module for each value of IMAGING. */
export const imagingModules = { jimp: jimpModule } as const
