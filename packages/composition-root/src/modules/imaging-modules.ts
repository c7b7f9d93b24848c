import { providing } from '../token.js'
import { tokens } from '../tokens.js'

const jimpModule = () =>
  providing(
    tokens.imaging,
    [],
    async () => {
      const { jimpImaging } = await import('@publishing-service/adapter-jimp')
      return jimpImaging()
    },
    (imaging) => imaging.close(),
  )

/** The module for each value of IMAGING. An adapter is loaded when it is asked for. */
export const imagingModules = { jimp: jimpModule } as const
