import { describeCopies } from './copies.js'

describeCopies(
  { STORE: 'sqlite', BLOBS: 'filesystem' },
  [
    { STORE: 'mongodb', BLOBS: 'minio' },
    { STORE: 'postgresql', BLOBS: 'filesystem' },
  ],
  12,
)
