import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openVideo } from "../gateway/src/app/video-services.ts";
import { createLibrary, openObjectStore } from "../gateway/src/assets/index.ts";
import { planOf, type VideoModel } from "../gateway/src/catalog/index.ts";
import { catalogWith } from "../gateway/src/catalog/testing.ts";
import {
  createAdvanceVideo,
  type VideoCall,
  type VideoJob,
  type VideoView,
} from "../gateway/src/generation/index.ts";
import { claimVideoJobs, createVideoStore } from "../gateway/src/jobs/video-store.ts";
import { newId, present, systemClock } from "../gateway/src/kit/index.ts";
import { createBreaker } from "../gateway/src/outbound/index.ts";
import { createRegistry } from "../gateway/src/providers/index.ts";
import { createMetrics, noopSpan, silentLog } from "../gateway/src/telemetry/index.ts";
import { openLedgerBooks } from "./ledger-books.ts";
import { KEY_ID } from "./paid-items.ts";
import { createScriptedVideo, type ScriptedVideo } from "./scripted-video.ts";

const VIDEO_ENTRY = {
  id: "acme-video",
  name: "Acme Video",
  type: "video",
  targets: [
    { provider: "acme", model: "m" },
    { provider: "other", model: "n" },
  ],
  credits_per_request: 1,
  capabilities: ["sound", "draft", "seed", "reference_image"],
  price: { per_second: { "480p": 5, "720p": 8 }, sound_basis_points: 12_500, draft_basis_points: 5_000 },
  limits: { duration_seconds: { min: 1, max: 12, default: 4 }, aspect_ratios: ["16:9"] },
};

const MOST_STEPS = 60;
const LEASE_MS = 30_000;
/** Longer than any pause of a job, and shorter than its lease. */
const PAUSE_MS = 29_000;

/**
 * A node with video jobs whose steps the test takes by hand, and whose time the test moves. For tests of the jobs
 * themselves, without HTTP.
 */
export async function openVideoBench(
  options: { knowsOurId?: boolean; isTest?: (target: string) => boolean } = {},
) {
  const books = await openLedgerBooks();
  const { database, db, lease } = books;
  const folder = mkdtempSync(join(tmpdir(), "bursar-video-"));
  const acme = createScriptedVideo(options);
  const other = createScriptedVideo({ name: "other" });
  const registry = createRegistry([acme.provider, other.provider]);
  const catalog = catalogWith({ models: [VIDEO_ENTRY] }, { configuredProviders: registry.names });
  const model = present(catalog.models.get("acme-video"), "the model") as VideoModel;
  await books.ledger.recordPriceRules([{ ...model.priceRule, model: model.id }]);
  const library = createLibrary({
    db,
    objects: openObjectStore({ kind: "files", folder }),
    secret: "a secret for tests",
    log: silentLog,
    databaseWaitMs: 30_000,
  });
  const { isTest = () => false } = options;
  const breaker = createBreaker({ clock: systemClock, isTest });
  const metrics = createMetrics();
  const deps = { db, lease, library, registry, breaker, log: silentLog, metrics, drainMs: 30_000 };
  const { video } = openVideo({ ...deps, runsVideoJobs: false });
  const advance = createAdvanceVideo({ ...deps, jobs: createVideoStore(db) });

  function callOf(orgId: string, changes: Partial<VideoCall> = {}): VideoCall {
    return {
      principal: {
        organization: {
          id: orgId,
          name: "Acme",
          slug: "acme",
          plan: "pro",
          active: true,
          efficiency: "off",
          disabledModels: new Set(),
        },
        keyId: KEY_ID,
        scopes: new Set(),
        limits: { requestsPerMinute: null, inFlight: null },
      },
      plan: planOf(catalog.plans, "pro"),
      memberUserId: null,
      requestId: newId(),
      endpoint: "api-v1-video",
      model,
      options: {
        task: "text_to_video",
        prompt: "a boat at sea",
        durationMs: 4_000,
        resolution: "480p",
        aspectRatio: "16:9",
        sound: false,
        draft: false,
        keepAudio: false,
        seed: null,
      },
      said: [],
      references: {},
      idempotency: null,
      span: noopSpan,
      askAgain: async () => {},
      ...changes,
    };
  }

  /** Claims every job that is due. */
  const takeUp = () => claimVideoJobs(db, { limit: 8, leaseMs: LEASE_MS });
  const takeStep = (job: VideoJob) => advance(job, new AbortController().signal);

  /** Time passes, and every job that is due takes one step. */
  async function pass(ms = PAUSE_MS): Promise<number> {
    await database.advanceClock(ms);
    const jobs = await takeUp();
    await Promise.all(jobs.map((job) => takeStep(job)));
    return jobs.length;
  }

  async function view(orgId: string, requestId: string): Promise<VideoView> {
    return present(await video.find(orgId, requestId), "the job");
  }

  /** Takes steps until the job has ended. */
  async function finish(orgId: string, requestId: string): Promise<VideoView> {
    for (let steps = 0; steps < MOST_STEPS; steps++) {
      const seen = await view(orgId, requestId);
      if (seen.status !== "processing") return seen;
      await pass();
    }
    throw new Error("the job does not end");
  }

  return {
    ...books,
    deps,
    acme,
    other: other satisfies ScriptedVideo,
    library,
    video,
    metrics,
    model,
    callOf,
    takeUp,
    takeStep,
    pass,
    view,
    finish,
    /** All files in the store, including temporary ones. */
    files: () =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name),
    /**
     * Replaces the folder of objects with a file, so that nothing can be written. Returns the function that undoes it.
     */
    breakStore(): () => void {
      renameSync(folder, `${folder}-away`);
      writeFileSync(folder, "");
      return () => {
        rmSync(folder);
        renameSync(`${folder}-away`, folder);
      };
    },
    async sweptFiles(): Promise<number> {
      await database.advanceClock(3 * 60 * 60_000);
      return library.sweep();
    },
    async close() {
      await lease.leave();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type VideoBench = Awaited<ReturnType<typeof openVideoBench>>;
