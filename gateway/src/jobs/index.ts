/**
 * What happens without a request: the schedule of maintenance and audits, the steps of video jobs, and the
 * deliveries of events.
 * Owns when a task runs, and that one node at a time runs it.
 * Refuses to know what a task does inside; the tasks are functions of the nouns.
 * Invariant: every task is safe to repeat and safe to kill.
 */
export { LOCK_IDS } from "./lock-ids.ts";
export { auditTask, maintenanceTasks, payerTasks } from "./maintenance.ts";
export { startOutboxWorker } from "./outbox-worker.ts";
export { startSchedule } from "./schedule.ts";
export { whileAlone } from "./store.ts";
export { createVideoStore, loadVideoView } from "./video-store.ts";
export { startVideoWorker, type VideoWorker } from "./video-worker.ts";
