import { rounds } from '@publishing-service/conformance'
import { describeCopies } from './copies.js'

describeCopies(
  { STORE: 'sqlite', BLOBS: 'filesystem' },
  { STORE: 'mongodb', BLOBS: 'minio' },
  rounds(50, 220),
)
