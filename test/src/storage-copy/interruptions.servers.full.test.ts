import { describeInterruptions } from './interruptions.js'

describeInterruptions({ STORE: 'sqlite', BLOBS: 'filesystem' }, { STORE: 'mongodb', BLOBS: 'minio' }, 100)
