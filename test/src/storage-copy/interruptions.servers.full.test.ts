import { declareInterruptions } from './declare-interruptions.js'

declareInterruptions({ STORE: 'sqlite', BLOBS: 'filesystem' }, { STORE: 'mongodb', BLOBS: 'minio' }, 100)
