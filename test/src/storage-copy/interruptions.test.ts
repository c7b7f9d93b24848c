import { declareInterruptions } from './declare-interruptions.js'

const embedded = { STORE: 'sqlite', BLOBS: 'filesystem' } as const

declareInterruptions(embedded, embedded, 20)
