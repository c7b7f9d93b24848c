/** A program for the tests of the processes: the one that scales, but it thinks that no picture takes memory. */
import { serveJobs } from './serve-jobs.js'

serveJobs(() => 0)
