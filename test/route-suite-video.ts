import { expect } from "bun:test";
import { newId } from "../gateway/src/kit/index.ts";
import type { TestGateway, TestOrganization } from "./harness.ts";
import type { RouteCases, WrongField } from "./route-case.ts";
import { type VideoQueue, videoSettings } from "./upstream/video-queue.ts";

const PATH = "/functions/v1/api-v1-video";
const VIDEO = { model: "suite-video", prompt: "A boat" };

/** Settings with a video model that costs one credit, as every call of the suite does. */
export function withVideo(settings: object, queue: VideoQueue): object {
  const { providers, models } = settings as { providers: object; models: readonly object[] };
  const videos = videoSettings(queue) as { providers: object };
  return {
    providers: { ...providers, ...videos.providers },
    models: [
      ...models,
      {
        ...{ id: "suite-video", name: "Video", type: "video", credits_per_request: 1 },
        targets: [{ provider: "videos", model: "acme/good" }],
        price: { per_second: { "480p": 0 } },
        limits: { duration_seconds: { min: 1, max: 10, default: 4 }, aspect_ratios: ["16:9"] },
      },
    ],
  };
}

/** A job from long ago: polling it costs nothing, and it does not count in any total. */
async function makeOldJob({ database }: TestGateway, own: TestOrganization): Promise<string> {
  const requestId = newId();
  await database.db.pool.query(
    `insert into video_jobs (org_id, request_id, created_at, deadline_at, ended_at, status, provider_status, endpoint,
       model, key_id, estimate, looks, failures, due_at)
     values ($1, $2, bursar_now(), bursar_now(), bursar_now(), 'failed', 'failed:unknown', 'api-v1-video',
       'suite-video', $3, 1, 0, 0, bursar_now())`,
    [own.id, requestId, own.keyId],
  );
  return `request_id=${requestId}`;
}

/** Waits until the jobs that the suite submitted have ended. */
export async function expectJobsEnd({ database }: TestGateway): Promise<void> {
  const running = () => database.db.pool.query("select 1 from video_jobs where status = 'processing'");
  for (let looks = 0; (await running()).rowCount !== 0; looks++) {
    expect(looks).toBeLessThan(1_000);
    await Bun.sleep(20);
  }
}

function wrong(fields: Readonly<Record<string, unknown>>, says = "must be"): WrongField {
  const [field] = Object.keys(fields);
  return {
    name: JSON.stringify(fields).slice(0, 60),
    body: { ...VIDEO, ...fields },
    status: 400,
    says: `${field}: ${says}`,
  };
}

const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString("base64");

export const VIDEO_CASES: Readonly<Record<string, RouteCases>> = {
  [`POST ${PATH}`]: {
    good: { path: PATH, body: VIDEO },
    wrong: [
      ...["gpt", "SUITE-VIDEO", "sandbox-chat", "suite-image"].map((model) => ({
        name: `the model ${model}`,
        body: { ...VIDEO, model },
        status: 403,
        says: `model: ${model} is `,
      })),
      ...[undefined, null, "", 5, "x".repeat(32_001)].map((prompt) => wrong({ prompt })),
      ...[0, -1, 11, "4", true].map((duration) => wrong({ duration })),
      ...["8k", 480].map((resolution) => wrong({ resolution })),
      ...["wide", 1].map((aspect_ratio) => wrong({ aspect_ratio })),
      ...[-1, 2 ** 32, 1.5, "1"].map((seed) => wrong({ seed })),
      wrong({ seed: 1 }, "this model takes none"),
      wrong({ generate_audio: true }, "this model makes no sound"),
      wrong({ video_draft: true }, "this model makes no drafts"),
      wrong({ generate_audio: "true" }),
      wrong({ keep_audio: true }, "may be sent only with reference_video"),
      wrong({ omni_task: "dance" }),
      ...["", "!", SVG, 5, `data:image/svg+xml;base64,${SVG}`].map((reference_image) =>
        wrong({ reference_image }),
      ),
      {
        name: "an Idempotency-Key with a space",
        headers: { "idempotency-key": "a b" },
        status: 400,
        says: "Idempotency-Key: must be",
      },
    ],
  },
  [`GET ${PATH}`]: {
    good: { path: PATH, query: makeOldJob },
    wrong: [
      ...["x", "%00", "0190e3c2-0000-7000-8000-000000000000", "..%2f..%2fetc%2fpasswd"].map((id) => ({
        name: `the job ${id}`,
        query: `request_id=${id}`,
        status: 404,
        says: "request_id: no such video job",
      })),
      ...["x=1", "request_id="].map((query) => ({
        name: `no job in ${query}`,
        query,
        status: 400,
        says: "request_id: must be the request_id",
      })),
      {
        name: "two jobs",
        query: "request_id=x&request_id=y",
        status: 400,
        says: "request_id: must be given once",
      },
    ],
  },
};
