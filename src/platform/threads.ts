/**
 * Threads as Node has them. What is built on them (`task.ts`, `service.ts`) knows them by this
 * module only, so that it runs as it is where another platform has its own (`site/platform`).
 */
export { parentPort, type Worker, workerData } from 'node:worker_threads';
