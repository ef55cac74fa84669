import type { Database } from "../gateway/src/db/index.ts";

/** Adds a running job to every hold of kind `job`, for tests that took the hold directly in the ledger. */
export async function runJobs(db: Database): Promise<void> {
  await db.pool.query(
    `insert into video_jobs (org_id, request_id, created_at, deadline_at, status, provider_status, endpoint, model, key_id,
       estimate, video_order, looks, failures, due_at)
     select org_id, request_id, created_at, created_at + interval '1 hour', 'processing', 'queued', endpoint, model, key_id,
       subscription + anytime, '{}', 0, 0, created_at
     from holds where kind = 'job' on conflict do nothing`,
  );
}
