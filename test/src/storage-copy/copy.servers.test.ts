import { describeCopies } from './copies.js'

const embedded = { STORE: 'sqlite', BLOBS: 'filesystem' } as const

describeCopies(embedded, { STORE: 'mongodb', BLOBS: 'minio' }, 12)
describeCopies(embedded, { STORE: 'postgresql', BLOBS: 'filesystem' }, 12)
