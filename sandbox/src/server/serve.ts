import { createHash, timingSafeEqual } from "node:crypto";
import type { SpokenLine } from "../../../gateway/src/contract/index.ts";
import { isObject } from "../../../gateway/src/kit/index.ts";
import { followDirectives } from "../directives/follow-directives.ts";
import type { TokenEstimator } from "../engine.ts";
import type { Renderer } from "../media/renderer.ts";
import { createRenderer } from "../render/create-renderer.ts";
import { VOICES } from "../speech/voices.ts";
import { type Fields, listIn, numberIn, requiredText, textIn } from "./fields.ts";
import { createFileStore, type StoreBounds } from "./file-store.ts";
import { createHostFile, FILES, serveFile } from "./hosted.ts";
import { makePictures, readEdit } from "./pictures.ts";
import { createQueue, type Queue } from "./queue.ts";
import { badField, falError, openAiError, WireError } from "./wire-error.ts";

/** The renderer refuses longer texts in its own words. */
const MAX_INPUT_CHARACTERS = 32_000;
const MAX_LINES = 64;

/** Names of OpenAI's own voices; ours speak for them in turn. */
const OPENAI_VOICES = "alloy ash ballad cedar coral echo fable marin nova onyx sage shimmer verse".split(" ");

type SpeechDeps = { readonly renderer: Renderer; readonly signal: AbortSignal };

/** `POST /v1/audio/speech`. `lines` is our own field: what each of several voices reads, in place of `input`. */
export async function speak(body: Fields, { renderer, signal }: SpeechDeps): Promise<Response> {
  const format = textIn(body, "response_format") ?? "mp3";
  if (format !== "mp3")
    throw badField("response_format", "must be mp3, the only format that the sandbox writes");
  const speed = numberIn(body, "speed", { min: 0.25, max: 4 }) ?? 1;
  const lines = linesOf(body);
  const texts = await followDirectives(
    lines.map(({ text }) => text),
    signal,
  );
  const spoken = lines.map(({ voice }, at) => ({ voice, text: texts[at] ?? "" }));
  const request = { lines: spoken, speed };
  const { bytes, mediaType } = await renderer.render({ kind: "speech", request }, signal);
  return new Response(Buffer.from(bytes), { headers: { "content-type": mediaType } });
}

function linesOf(body: Fields): readonly SpokenLine[] {
  const lines = listIn(body, "lines").map((line) => lineOf(line, "text"));
  if (lines.length > MAX_LINES) throw badField("lines", `must be at most ${MAX_LINES}`);
  return lines.length > 0 ? lines : [lineOf(body, "input")];
}

function lineOf(fields: Fields, field: "text" | "input"): SpokenLine {
  const voice = textIn(fields, "voice") ?? null;
  const text = requiredText(fields, field, MAX_INPUT_CHARACTERS);
  const other = OPENAI_VOICES.indexOf(voice ?? "");
  return { voice: VOICES[other % VOICES.length]?.name ?? voice, text };
}

export type SandboxServerOptions = {
  readonly port: number;
  readonly hostname: string;
  /** Null: whoever reaches us may call. */
  readonly key: string | null;
  /** Where results and parts of jobs are kept for a while. */
  readonly folder: string;
  readonly bounds: StoreBounds;
  /** How clients reach us, where that is not the address that we listen on. */
  readonly publicUrl?: string;
  /** Loaded with the first chat. */
  estimator(): Promise<TokenEstimator>;
};

export type SandboxServer = { readonly url: string; close(): Promise<void> };

/** Three references of 25 MiB in base64, and the rest of a video's input. */
const MAX_BODY_BYTES = 104 << 20;
const MAX_CHAT_BYTES = 32 << 20;
const MAX_MEDIA_BYTES = 4 << 20;
/** Longer than any directive may wait before the first byte. */
const IDLE_SECONDS = 180;

/** Models by what they are called with. */
const MODELS = {
  "sandbox-chat": "/v1/chat/completions",
  "sandbox-image": "/v1/images/generations",
  "sandbox-voice": "/v1/audio/speech",
  "sandbox-video": "/sandbox-video",
  "sandbox-music": "/sandbox-music",
} as const;
const PATHS: ReadonlySet<string> = new Set(Object.values(MODELS));

export function startSandboxServer(options: SandboxServerOptions): SandboxServer {
  const renderer = createRenderer();
  const store = createFileStore(options.folder, options.bounds);
  const address = () => options.publicUrl ?? server.url.origin;
  const queue = createQueue({ renderer, store, address });
  const host = createHostFile(store, address);
  const isAllowed = createGate(options.key);
  let estimator: Promise<TokenEstimator> | null = null;

  async function openAi(request: Request, path: string): Promise<Response> {
    const { signal } = request;
    if (request.method === "GET") return listModels(path);
    if (path === "/v1/images/edits") {
      const form = await holding(request, () => request.formData()).catch((error: unknown) => {
        throw error instanceof WireError
          ? error
          : new WireError(400, "The body must be a form with an image.");
      });
      const { body, edit } = await readEdit(form);
      modelIn(body, "/v1/images/generations");
      return makePictures(body, { renderer, host, signal, edit });
    }
    if (!PATHS.has(path)) throw new WireError(404, `There is no ${request.method} ${path} here.`);
    const body = await bodyOf(request, path === MODELS["sandbox-chat"] ? MAX_CHAT_BYTES : MAX_MEDIA_BYTES);
    const model = modelIn(body, path);
    if (model === "sandbox-image") return makePictures(body, { renderer, host, signal });
    if (model === "sandbox-voice") return speak(body, { renderer, signal });
    const { completeChat } = await import("./chat.ts");
    estimator ??= options.estimator();
    return completeChat(body, model, { estimator: await estimator, signal });
  }

  async function answer(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname;
    if (path === "/healthz") return new Response("ok");
    if (path.startsWith(FILES)) return serveFile(store, path.slice(FILES.length));
    const isOpenAi = path === "/v1" || path.startsWith("/v1/");
    try {
      if (!isAllowed(request.headers.get("authorization")))
        throw new WireError(401, "The key is not the one that the sandbox was started with.", {
          code: "invalid_api_key",
        });
      return isOpenAi ? await openAi(request, path) : await fal(queue, request, path);
    } catch (error) {
      return isOpenAi ? openAiError(error) : falError(error);
    }
  }

  const server = Bun.serve({
    port: options.port,
    hostname: options.hostname,
    idleTimeout: IDLE_SECONDS,
    maxRequestBodySize: MAX_BODY_BYTES,
    fetch: answer,
  });

  return {
    url: server.url.origin,
    async close() {
      await server.stop(true);
      await renderer.close();
    },
  };
}

const ORDER = /^(.+)\/requests\/([A-Za-z0-9_-]+)(\/status|\/cancel)?$/;

async function fal(queue: Queue, request: Request, path: string): Promise<Response> {
  const { method, headers, signal } = request;
  const [, app = "", id, what] = ORDER.exec(path.slice(1)) ?? [];
  if (id === undefined && method === "POST") {
    const input = await bodyOf(request, MAX_BODY_BYTES);
    return queue.submit({ path: path.slice(1), input, key: headers.get("idempotency-key"), signal });
  }
  if (id !== undefined && method === "GET" && what !== "/cancel")
    return what === undefined ? queue.result(id) : queue.look(app, id);
  if (id !== undefined && method === "PUT" && what === "/cancel") return queue.cancel(id);
  throw new WireError(404, `There is no ${method} ${path} here.`);
}

function listModels(path: string): Response {
  const models = Object.keys(MODELS).map((id) => ({ id, object: "model", created: 0, owned_by: "bursar" }));
  if (path === "/v1/models") return Response.json({ object: "list", data: models });
  const one = models.find(({ id }) => path === `/v1/models/${id}`);
  if (one !== undefined) return Response.json(one);
  throw noModel(path.slice(path.lastIndexOf("/") + 1));
}

function modelIn({ model }: Fields, path: string): string {
  if (typeof model !== "string") throw new WireError(400, "model must be a text.", { param: "model" });
  const of = Object.hasOwn(MODELS, model) ? MODELS[model as keyof typeof MODELS] : undefined;
  if (of === undefined) throw noModel(model);
  if (of === path) return model;
  throw new WireError(400, `${model} is called at ${of}.`, { param: "model" });
}

function noModel(name: string): WireError {
  const message = `There is no model ${JSON.stringify(name.slice(0, 60))}: this is Bursar's sandbox, with ${Object.keys(MODELS).join(", ")}.`;
  return new WireError(404, message, { param: "model", code: "model_not_found" });
}

const LARGE_BYTES = 4 << 20;
const MAX_LARGE = 4;
let large = 0;

/** Reads the body; of large ones, and of those that do not say how large they are, few are in memory at once. */
async function holding<Body>(request: Request, read: () => Promise<Body>): Promise<Body> {
  const weight = Number(request.headers.get("content-length") ?? MAX_BODY_BYTES) > LARGE_BYTES ? 1 : 0;
  if (weight + large > MAX_LARGE)
    throw new WireError(429, "Too many large bodies are being read.", { retryAfterSeconds: 1 });
  large += weight;
  try {
    return await read();
  } finally {
    large -= weight;
  }
}

async function bodyOf(request: Request, maxBytes: number): Promise<Fields> {
  const text = await holding(request, () => request.text());
  if (Buffer.byteLength(text) > maxBytes)
    throw new WireError(413, `The body has more than ${maxBytes} bytes.`);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new WireError(400, "The body is not JSON.");
  }
  if (isObject(body)) return body;
  throw new WireError(400, "The body must be a JSON object.");
}

/** OpenAI's clients send `Bearer`, fal's send `Key`. Compared by digest, so that the time taken says nothing. */
function createGate(key: string | null): (header: string | null) => boolean {
  if (key === null) return () => true;
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const own = digest(key);
  return (header) => timingSafeEqual(own, digest((header ?? "").replace(/^(?:Bearer|Key) +/i, "")));
}
