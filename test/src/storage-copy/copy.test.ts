import { declareCopies } from './declare-copies.js'

const embedded = { STORE: 'sqlite', BLOBS: 'filesystem' } as const

declareCopies(embedded, embedded, 40)
