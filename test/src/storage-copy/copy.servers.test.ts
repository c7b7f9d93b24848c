import { describeCopies } from './copies.js'

describeCopies({ STORE: 'sqlite', BLOBS: 'filesystem' }, { STORE: 'mongodb', BLOBS: 'minio' }, 12)
