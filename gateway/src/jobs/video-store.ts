import { type Database, plainColumn } from "../db/index.ts";
import {
  LeaseLost,
  type VideoEnd,
  type VideoEnding,
  type VideoJob,
  type VideoJobs,
  type VideoView,
} from "../generation/index.ts";
import { present } from "../kit/index.ts";

// The provider that a job's next step will wait for: the one that has it, or the first one to be asked.
const PROVIDER = "split_part(coalesce(target, video_order->'targets'->0->>'provider', ''), '/', 1)";

// `bursar_now()` is in a subselect so that it is evaluated once and the index can be used. A locked row is being
// claimed by another worker.
const CLAIM = `
  update video_jobs j set lease = gen_random_uuid(), due_at = bursar_now() + $2 * interval '1 ms'
  from (
    select org_id, request_id from video_jobs
    where status = 'processing' and due_at <= (select bursar_now()) and (select time_is_believed($5))
      and org_id <> all($3::uuid[]) and ${PROVIDER} <> all($4::text[])
    order by due_at limit $1 for update skip locked
  ) d
  where j.org_id = d.org_id and j.request_id = d.request_id
  returning j.org_id as "orgId", j.request_id as "requestId", j.model, j.lease, j.estimate::float8 as estimate,
    j.video_order as "order", j.target, j.operation, j.draft, j.looks, j.failures,
    j.deadline_at <= bursar_now() and time_is_believed($6) as "isOverdue"`;

/** Unchanged in a jump of the clock, after which the job would wait for that time. */
function dueIn(ms: string, expected: string): string {
  return `case when time_is_believed(${expected}) then bursar_now() + ${ms} * interval '1 ms' else due_at end`;
}

/** The same as `PROVIDER` computes in SQL. */
export function providerOf({ target, order }: VideoJob): string {
  const [provider = ""] = (target ?? order.targets[0]?.provider ?? "").split("/");
  return provider;
}

/** Organizations and providers whose jobs are not claimed for now. */
export type PassedOver = { readonly orgIds: readonly string[]; readonly providers: readonly string[] };

/** Claims jobs that are due, longest due first; no one else can claim them until their leases end. */
export async function claimVideoJobs(
  db: Database,
  {
    limit,
    leaseMs,
    passOver = { orgIds: [], providers: [] },
  }: { limit: number; leaseMs: number; passOver?: PassedOver },
): Promise<VideoJob[]> {
  const result = await db.pool.query<VideoJob>({
    name: "video_claim",
    text: CLAIM,
    values: [limit, leaseMs, passOver.orgIds, passOver.providers, db.time.textAfterPause(), db.time.text()],
  });
  return result.rows;
}

/** Extends these leases to `leaseMs` from now; returns those that are still held. */
export async function renewVideoLeases(
  db: Database,
  jobs: readonly VideoJob[],
  leaseMs: number,
): Promise<ReadonlySet<string>> {
  const result = await db.pool.query<{ lease: string }>({
    name: "video_renew",
    text: `update video_jobs j set due_at = ${dueIn("$4", "$5")}
      from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as held (org_id, request_id, lease)
      where j.org_id = held.org_id and j.request_id = held.request_id and j.lease = held.lease
        and j.status = 'processing'
      returning j.lease`,
    values: [
      plainColumn(jobs, "orgId"),
      plainColumn(jobs, "requestId"),
      plainColumn(jobs, "lease"),
      leaseMs,
      db.time.textAfterPause(),
    ],
  });
  return new Set(result.rows.map((row) => row.lease));
}

/** Number of running jobs by state, for metrics. */
export async function countVideoJobs(db: Database): Promise<ReadonlyMap<string, number>> {
  const result = await db.pool.query<{ state: string; count: number }>({
    name: "video_count",
    text: `select provider_status as state, count(*)::integer as count from video_jobs
      where status = 'processing' group by 1`,
  });
  return new Map(result.rows.map((row) => [row.state, row.count]));
}

/** Makes jobs due that wait for a time of a jump that is over: no other wait is as long. */
export async function recallVideoJobs(db: Database): Promise<void> {
  await db.pool.query(
    `update video_jobs set due_at = bursar_now(), created_at = least(created_at, bursar_now()),
       deadline_at = least(deadline_at, bursar_now() + interval '1 hour')
     where status = 'processing' and due_at > (select bursar_now()) + interval '1 hour' and (select time_is_believed($1))`,
    [db.time.textAfterPause()],
  );
}

/** Deletes the rows of jobs that ended long ago; their requests, charges and assets remain. */
export async function forgetVideoJobs(
  db: Database,
  { keepDays, limit }: { keepDays: number; limit: number },
): Promise<number> {
  const result = await db.pool.query(
    `delete from video_jobs where (org_id, request_id) in (
      select org_id, request_id from video_jobs
      where ended_at < (select bursar_now()) - $1 * interval '1 day' order by ended_at limit $2)`,
    [keepDays, limit],
  );
  return result.rowCount ?? 0;
}

/** Every write of a step checks its lease: a worker that has lost it writes nothing. */
export function createVideoStore(db: Database): VideoJobs {
  async function save(job: VideoJob, set: string, values: readonly unknown[]): Promise<void> {
    const result = await db.pool.query({
      text: `update video_jobs set ${set}
        where org_id = $1 and request_id = $2 and lease = $3 and status = 'processing'`,
      values: [job.orgId, job.requestId, job.lease, ...values],
    });
    if (result.rowCount !== 1) throw new LeaseLost(job.requestId);
  }

  return {
    saveIntent: (job, target) => save(job, "target = $4, provider_status = 'starting'", [target]),
    dropIntent: (job) => save(job, "target = null, provider_status = 'queued'", []),
    saveOperation: (job, operation) =>
      save(job, "operation = $4, looks = 0, failures = 0", [JSON.stringify(operation)]),
    saveStoring: (job) => save(job, "provider_status = 'storing'", []),
    saveDraft: (job, draft) => save(job, "draft = $4", [JSON.stringify(draft)]),
    giveBack: (job, { inMs, looks, failures, progress }) =>
      save(
        job,
        `lease = null, due_at = ${dueIn("$4", "$8")}, looks = $5, failures = $6,
          provider_status = coalesce($7, provider_status)`,
        [inMs, looks, failures, progress, db.time.textAfterPause()],
      ),
    end: (job, end) => saveEnd(db, job, end),
  };
}

async function saveEnd(db: Database, job: VideoJob, end: VideoEnd): Promise<VideoEnding> {
  const isComplete = end.status === "complete";
  const { rows } = await db.pool.query<VideoEnding>({
    name: "ledger_end_job",
    text: `select outcome, charged::float8 as charged, written_off::float8 as "writtenOff"
      from ledger_end_job(expecting($12, $1)::uuid, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    values: [
      job.orgId,
      job.requestId,
      job.lease,
      end.status,
      isComplete ? "succeeded" : `failed:${end.reason}`,
      isComplete ? null : end.errorCode,
      isComplete ? end.cost : 0,
      isComplete ? JSON.stringify(end.draft) : null,
      Object.values(job.order.references),
      isComplete ? end.measured : null,
      isComplete ? null : end.failureReason,
      db.time.text(),
    ],
  });
  return present(rows[0], "the answer to a job's end");
}

// Job, charge and asset come from one snapshot: a complete job is never seen without its charge.
const VIEW = `
  select j.request_id as "requestId", j.model, j.status, j.provider_status as "providerStatus",
    j.estimate::float8 as estimate,
    case when r.request_id is not null then json_build_object('credits', r.charged_subscription + r.charged_anytime,
      'subscription', r.subscription_after, 'anytime', r.anytime_after) end as charge,
    case when a.id is not null then json_build_object('urlToken', a.url_token, 'mediaType', a.media_type) end as asset
  from video_jobs j
    left join requests r on j.status <> 'processing' and r.org_id = $1 and r.request_id = $2
    left join assets a on a.org_id = $1 and a.id = j.asset_id
  where j.org_id = $1 and j.request_id = $2`;

export async function loadVideoView(
  db: Database,
  orgId: string,
  requestId: string,
): Promise<VideoView | null> {
  const { rows } = await db.pool.query<VideoView>({
    name: "video_view",
    text: VIEW,
    values: [orgId, requestId],
  });
  return rows[0] ?? null;
}
