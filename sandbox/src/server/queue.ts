import type { VideoState } from "../../../gateway/src/contract/index.ts";
import { followDirectives, readableScript } from "../directives/follow-directives.ts";
import type { Renderer } from "../media/renderer.ts";
import { createSandboxWork, type SandboxWork } from "../video/sandbox-video.ts";
import type { Fields } from "./fields.ts";
import { type FileStore, nameOfContent } from "./file-store.ts";
import { createHostFile, FILES } from "./hosted.ts";
import { decodeJob, encodeJob, type Job } from "./job-id.ts";
import { WireError } from "./wire-error.ts";
import { keepParts, musicRequestOf, videoRequestOf } from "./work-input.ts";

type QueueDeps = {
  readonly renderer: Renderer;
  readonly store: FileStore;
  /** Where clients reach us. */
  address(): string;
};

type Submit = {
  /** The path that was posted to, without its first slash. */
  readonly path: string;
  readonly input: Fields;
  /** The same key with the same input is the same job; without one, each submit is a job of its own. */
  readonly key: string | null;
  readonly signal: AbortSignal;
};

/** Fal's queue: jobs are submitted, looked at until they are done, and then their result is fetched. */
export type Queue = {
  submit(asked: Submit): Promise<Response>;
  look(app: string, id: string): Promise<Response>;
  result(id: string): Promise<Response>;
  cancel(id: string): Promise<Response>;
};

type Failed = Extract<VideoState, { state: "failed" }>;
type Done = { readonly state: "done"; readonly name: string; readonly output: Fields };
type Running = { readonly state: "running"; readonly readyInMs?: number };

/** One kind of work; its requests are read anew from the input for every look. */
type Maker = {
  readonly field: "video" | "audio";
  begin(id: string, input: Fields, signal: AbortSignal): Promise<Fields>;
  poll(id: string, job: Job): Promise<VideoState>;
};

export function createQueue({ renderer, store, address }: QueueDeps): Queue {
  const host = createHostFile(store, address);
  const makers = createMakers(renderer, store);
  const ends = remembering<Failed | Done>();
  const submitted = remembering<{ readonly own: string; readonly id: string }>();
  const looking = new Map<string, Promise<Failed | Done | Running>>();

  async function lookOnce(id: string): Promise<Failed | Done | Running> {
    const job = decodeJob(id);
    const maker = job && makers.get(job.model);
    if (!job || !maker) throw new WireError(404, "There is no such request.");
    const known = ends.get(id);
    if (known?.state === "failed") return known;
    if (known !== undefined && (await store.find(known.name)) !== null) return known;
    const seen = await maker.poll(ownIdOf(job), job);
    if (seen.state === "failed") return ends.set(id, seen);
    if (seen.state !== "succeeded") return { ...seen, state: "running" };
    const { bytes, mediaType, width, height, durationMs } = seen.file;
    const url = await host(seen.file);
    const name = url.slice(url.lastIndexOf(FILES) + FILES.length);
    const about = { url, content_type: mediaType, file_name: name, file_size: bytes.byteLength };
    const size = { width: width ?? undefined, height: height ?? undefined };
    const file = { ...about, ...size, duration: (durationMs ?? 0) / 1_000 };
    return ends.set(id, { state: "done", name, output: { [maker.field]: file } });
  }

  /** Polls of the same job at the same time are one: a result is handed out once. */
  function stateOf(id: string): Promise<Failed | Done | Running> {
    const running = looking.get(id);
    if (running !== undefined) return running;
    const look = lookOnce(id).finally(() => looking.delete(id));
    looking.set(id, look);
    return look;
  }

  const urlsOf = (app: string, id: string) => {
    const order = `${address()}/${app}/requests/${id}`;
    return {
      request_id: id,
      response_url: order,
      status_url: `${order}/status`,
      cancel_url: `${order}/cancel`,
    };
  };

  return {
    async submit({ path, input, key, signal }) {
      const model = path.split("/").find((part) => makers.has(part)) ?? "";
      const maker = makers.get(model);
      if (maker === undefined) {
        throw new WireError(
          404,
          `Application not found. The sandbox has ${[...makers.keys()].join(" and ")}.`,
        );
      }
      const named = { model, key: key ?? crypto.randomUUID(), request: await keepParts(input, store) };
      const own = ownIdOf(named);
      const order = `${model} ${named.key}`;
      const before = submitted.get(order);
      if (before !== undefined && before.own !== own)
        throw new WireError(409, "This key was used for another job.");
      const operation = await maker.begin(own, named.request, signal);
      const id = before?.id ?? encodeJob({ ...named, operation });
      if (id === null) throw new WireError(400, "The job is too long for an id: the key may be shorter.");
      submitted.set(order, { own, id });
      const app = path.split("/").slice(0, 2).join("/");
      return said(id, { status: "IN_QUEUE", queue_position: 0, ...urlsOf(app, id) });
    },

    async look(app, id) {
      const seen = await stateOf(id);
      const urls = urlsOf(app, id);
      if (seen.state === "running") {
        const ready = seen.readyInMs === undefined ? {} : { ready_in_ms: seen.readyInMs };
        return said(id, { status: "IN_PROGRESS", logs: [], ...urls, ...ready }, 202);
      }
      return said(id, { status: "COMPLETED", logs: [], ...urls, ...saidOf(seen) });
    },

    async result(id) {
      const seen = await stateOf(id);
      if (seen.state === "running") throw new WireError(400, "Request is still in progress");
      if (seen.state === "done") return said(id, seen.output);
      throw new WireError(STATUS_OF[seen.reason], seen.message);
    },

    async cancel(id) {
      const seen = await stateOf(id);
      if (seen.state !== "running") return said(id, { status: "ALREADY_COMPLETED" }, 400);
      ends.set(id, { state: "failed", reason: "unknown", message: "The request was cancelled." });
      return said(id, { status: "CANCELLATION_REQUESTED" }, 202);
    },
  };
}

function said(id: string, body: Fields, status = 200): Response {
  return Response.json(body, { status, headers: { "x-fal-request-id": id } });
}

const STATUS_OF: Readonly<Record<Failed["reason"], number>> = {
  rejected: 422,
  content_filter: 422,
  timeout: 504,
  provider_error: 500,
  unknown: 499,
};

/** A request that is at fault says so in its result; what went wrong here is already in the status. */
function saidOf(end: Failed | Done): Fields {
  if (end.state === "done" || end.reason === "rejected") return {};
  const type = { timeout: "request_timeout", unknown: "client_cancelled" }[end.reason as string];
  return { error: end.message, error_type: type ?? "internal_error" };
}

/** Whatever else its id says: the same key and input are the same job, and the same file. */
function ownIdOf({ model, key, request }: Pick<Job, "model" | "key" | "request">): string {
  return nameOfContent(model, key, JSON.stringify(request));
}

function createMakers(renderer: Renderer, store: FileStore): ReadonlyMap<string, Maker> {
  const nowMs = Date.now;
  const video = createSandboxWork({
    nowMs,
    render: (request: Awaited<ReturnType<typeof videoRequestOf>>, signal) =>
      renderer.render({ kind: "video", request }, signal),
  });
  const music = createSandboxWork({
    nowMs,
    render: (request: Awaited<ReturnType<typeof musicRequestOf>>, signal) =>
      renderer.render({ kind: "music", request }, signal),
  });
  return new Map([
    ["sandbox-video", makerOf("video", video, (input) => videoRequestOf(input, store))],
    ["sandbox-music", makerOf("audio", music, (input) => musicRequestOf(input, store))],
  ]);
}

function makerOf<Request extends { readonly prompt: string | null }>(
  field: Maker["field"],
  work: SandboxWork<Request>,
  read: (input: Fields) => Promise<Request>,
): Maker {
  return {
    field,
    async begin(id, input, signal) {
      const request = await read(input);
      const prompt = request.prompt ?? "";
      // Whoever waits for music is told by the call itself; a video is a job, and fails as one.
      if (field === "audio" && readableScript(prompt).errorStatus !== null)
        await followDirectives([prompt], signal);
      const { readyAtMs, takesMs, fails, errorStatus } = work.begin(id, request);
      // Nothing that changes: the same job has the same id.
      return { readyAtMs: takesMs === 0 ? 0 : readyAtMs, takesMs, fails, errorStatus };
    },
    poll: (id, { operation, request }) => work.poll({ ...operation, id }, () => read(request)),
  };
}

/** The last of what was seen, by name; what is forgotten is found out again. */
function remembering<Value>(most = 1_000) {
  const values = new Map<string, Value>();
  return {
    get: (name: string): Value | undefined => values.get(name),
    set<Seen extends Value>(name: string, value: Seen): Seen {
      const [oldest] = values.keys();
      if (oldest !== undefined && values.size >= most && !values.has(name)) values.delete(oldest);
      values.set(name, value);
      return value;
    },
  };
}
