import { describeInterruptions } from './interruptions.js'

const embedded = { STORE: 'sqlite', BLOBS: 'filesystem' } as const

describeInterruptions(embedded, embedded, 8)
