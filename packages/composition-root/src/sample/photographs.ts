/** The sample's photographs: each a file of the file library, with its data in the package’s folder sample/photographs. */
import type { JsonObject } from '@publishing-service/domain'

/** A photograph that comes with the package. */
export type Photograph = {
  readonly id: string
  /** Name in the folder of photographs. */
  readonly filename: string
  readonly mimetype: string
  /** What a PUT of the file sends beside its file name. */
  readonly attributes: JsonObject
}

export const photographs = {
  rocket: {
    id: '8b8c89c5-70b6-4d7c-b925-5dba3d2c2f9e',
    filename: 'rocket.jpg',
    mimetype: 'image/jpeg',
    attributes: {
      title: 'Falcon 9 with DSCOVR on its pad',
      description:
        'A Falcon 9 rocket at dusk, between the lightning towers of Launch Complex 40 at Cape Canaveral.',
      credits: 'SpaceX, public domain',
    },
  },
  deepField: {
    id: '9a56e733-cd2b-46b5-b53a-8b68763b4f7b',
    filename: 'hubble_deep_field.jpg',
    mimetype: 'image/jpeg',
    attributes: {
      title: 'Hubble eXtreme Deep Field',
      description: 'Thousands of galaxies in a patch of sky that looks empty to the eye.',
      credits: 'NASA, public domain',
    },
  },
  commander: {
    id: '7fa409f6-5a87-4a3b-b279-a6a2aeb77f7d',
    filename: 'astronaut.png',
    mimetype: 'image/png',
    attributes: {
      title: 'Eileen Collins',
      description: 'The astronaut Eileen Collins in an orange launch suit, her helmet beside her.',
      credits: 'NASA, no known restrictions',
    },
  },
  espresso: {
    id: '14274b31-f4b9-47ea-9615-83d836536bc4',
    filename: 'coffee.png',
    mimetype: 'image/png',
    attributes: {
      title: 'A cup of coffee at Pikolo Espresso Bar',
      description: 'A short coffee in a red cup, on a saucer with a spoon, on a wooden counter.',
      credits: 'Rachel Michetti, CC0',
    },
  },
  cat: {
    id: 'c82e2add-89df-4a5e-ae6d-294b037d7517',
    filename: 'chelsea.png',
    mimetype: 'image/png',
    attributes: {
      title: 'Chelsea the cat',
      description: 'The face of a tabby cat with green eyes, looking past the camera.',
      credits: 'Stefan van der Walt, CC0',
    },
  },
} as const satisfies Readonly<Record<string, Photograph>>
