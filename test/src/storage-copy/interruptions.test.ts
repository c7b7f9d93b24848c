import { describeInterruptions } from './declare-interruptions.js'

const embedded = { STORE: 'sqlite', BLOBS: 'filesystem' } as const

describeInterruptions(embedded, embedded, 20)
