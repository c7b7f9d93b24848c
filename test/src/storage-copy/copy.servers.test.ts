import { declareCopies } from './declare-copies.js'

declareCopies({ STORE: 'sqlite', BLOBS: 'filesystem' }, { STORE: 'mongodb', BLOBS: 'minio' }, 220)
