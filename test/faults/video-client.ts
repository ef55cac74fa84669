import { openVideo } from "../../gateway/src/app/video-services.ts";
import { systemClock } from "../../gateway/src/kit/index.ts";
import { createBreaker } from "../../gateway/src/outbound/index.ts";
import type { TestGateway, TestOrganization } from "../harness.ts";

const PATH = "/functions/v1/api-v1-video";
const MOST_LOOKS = 1_000;

/** A video job as a client sees it. The functions below use the endpoint as an ordinary client does. */
export type SeenVideo = {
  readonly request_id: string;
  readonly status: "processing" | "complete" | "failed";
  readonly provider_status: string;
  readonly video_url?: string;
  readonly credits_charged?: number;
};

type Asking = { readonly origin: string; readonly of: Pick<TestOrganization, "key"> };

export function submitVideo(
  { origin, of }: Asking,
  body: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${origin}${PATH}`, {
    method: "POST",
    headers: { authorization: `Bearer ${of.key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ prompt: "a boat at sea", ...body }),
  });
}

export async function pollVideo({ origin, of }: Asking, requestId: string): Promise<SeenVideo> {
  const response = await fetch(`${origin}${PATH}?request_id=${requestId}`, {
    headers: { authorization: `Bearer ${of.key}` },
  });
  if (!response.ok) throw new Error(`poll: ${response.status} ${await response.text()}`);
  return (await response.json()) as SeenVideo;
}

export async function endOfVideo(asking: Asking, requestId: string): Promise<SeenVideo> {
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const seen = await pollVideo(asking, requestId);
    if (seen.status !== "processing") return seen;
    // Polls less and less often: a video that takes long on a busy machine must not exhaust the reads per minute.
    await Bun.sleep(Math.min(20 + 5 * looks, 95));
  }
  throw new Error("the job does not end");
}

/** The video worker, for a gateway that was started without one: takes over the jobs of dead nodes. */
export function startWorking({ services }: TestGateway): { stop(): Promise<void> } {
  const { db, lease, library, registry, log, metrics } = services;
  const breaker = createBreaker({ clock: systemClock });
  const { videoWorker } = openVideo({
    db,
    lease,
    library,
    registry,
    breaker,
    log,
    metrics,
    runsVideoJobs: true,
    drainMs: services.config.timeouts.drainMs,
  });
  return { stop: async () => videoWorker?.stop() };
}

/** The only job of an organization, even if its client never learned the id. */
export async function jobOf({ database }: TestGateway, orgId: string): Promise<string | null> {
  const found = await database.db.pool.query<{ request_id: string }>(
    "select request_id from video_jobs where org_id = $1",
    [orgId],
  );
  return found.rows[0]?.request_id ?? null;
}
