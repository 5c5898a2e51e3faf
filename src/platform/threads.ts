/**
 * The threads of Node. Modules that use threads (`task.ts`, `service.ts`) import only this one, so
 * that they run unchanged on another platform (`site/platform`).
 */
export { parentPort, type Worker, workerData } from 'node:worker_threads';
