import { describeCopies } from './copies.js'

const embedded = { STORE: 'sqlite', BLOBS: 'filesystem' } as const

describeCopies(embedded, embedded, 15)
