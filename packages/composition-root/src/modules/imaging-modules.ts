import type { Imaging } from '@publishing-service/ports'
import { scalingLimits, thisMachine, type ScalingLimits } from '../job-limits.js'
import { optionalPackage } from '../optional-package.js'
import { providing } from '../token.js'
import { tokens } from '../tokens.js'

/** What isn't installed unless somebody asks for it, and its version. */
export const imagingPackages = { sharp: '0.35.5' } as const

const imagingModule = (open: (limits: ScalingLimits) => Promise<Imaging>) => () =>
  providing(
    tokens.imaging,
    [tokens.configuration],
    (configuration) => open(scalingLimits(configuration, thisMachine())),
    (imaging) => imaging.close(),
  )

/** The module for each value of IMAGING. An adapter is loaded when it is asked for. */
export const imagingModules = {
  jimp: imagingModule(async (limits) =>
    (await import('@publishing-service/adapter-jimp')).jimpImaging(limits),
  ),
  sharp: imagingModule(async (limits) => {
    const { sharpImaging } = await optionalPackage(
      'sharp',
      () => import('@publishing-service/adapter-sharp'),
      `IMAGING=sharp needs the package sharp, which is not installed: run npm install --no-save --omit=dev sharp@${imagingPackages.sharp}, or set IMAGING=jimp`,
    )
    return sharpImaging(limits)
  }),
} as const
