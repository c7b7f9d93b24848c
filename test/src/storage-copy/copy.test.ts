import { rounds } from '@publishing-service/conformance'
import { describeCopies } from './copies.js'

const embedded = { STORE: 'sqlite', BLOBS: 'filesystem' } as const

describeCopies(embedded, embedded, rounds(15, 40))
