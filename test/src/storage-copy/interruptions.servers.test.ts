import { rounds } from '@publishing-service/conformance'
import { declareInterruptions } from './declare-interruptions.js'

declareInterruptions(
  { STORE: 'sqlite', BLOBS: 'filesystem' },
  { STORE: 'mongodb', BLOBS: 'minio' },
  rounds(20, 100),
)
