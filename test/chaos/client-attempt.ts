import { eventsIn } from "../faults/chat-client.ts";
import type { PlannedCall } from "./call-plan.ts";
import { opening } from "./upstream-process.ts";

/** The result of one attempt of a client. */
export type Attempt = {
  /**
   * `lost`: no reply, or only part of one; `left`: the client disconnected; `waits`: the reply names a job still
   * running.
   */
  readonly ended: "done" | "error" | "left" | "lost" | "waits";
  readonly status: number | null;
  readonly requestId: string | null;
  readonly charged: number | null;
  readonly replayed: boolean;
  readonly message: string | null;
  /** Something that must never be in a reply: another call's answer, or a secret. Null if there is none. */
  readonly wrong: string | null;
};

export type Caller = {
  readonly origin: string;
  readonly key: string;
  /** Texts that no reply may contain. */
  readonly secrets: readonly string[];
  /** Limit for the whole attempt. */
  readonly limitMs: number;
  /** True to leave no connection open afterwards. */
  readonly isBrief?: boolean;
};

type Body = Readonly<Record<string, unknown>>;

const PATHS = {
  chat: "/functions/v1/api-v1-chat",
  stream: "/functions/v1/api-v1-chat",
  broken: "/functions/v1/api-v1-chat",
  v1: "/v1/chat/completions",
  v1_stream: "/v1/chat/completions",
  image: "/functions/v1/api-v1-images",
  video: "/functions/v1/api-v1-video",
} as const;

export async function attempt(
  call: PlannedCall,
  caller: Caller,
  leave: PlannedCall["leave"],
): Promise<Attempt> {
  const controller = new AbortController();
  let hasLeft = false;
  const hangUp = () => {
    hasLeft = true;
    controller.abort();
  };
  const limit = setTimeout(() => controller.abort(), caller.limitMs);
  const leaving = leave !== null && "afterMs" in leave ? setTimeout(hangUp, leave.afterMs) : undefined;
  let requestId: string | null = null;
  let status: number | null = null;
  try {
    const response = await send(call, caller, controller.signal);
    requestId = response.headers.get("x-request-id");
    status = response.status;
    const text = await readAll(response, leave !== null && "afterBytes" in leave ? leave.afterBytes : null);
    if (text === null) hangUp();
    if (text === null) return { ...NOTHING, ended: "left", status, requestId };
    return { ...readAnswer(call, response, text), wrong: wrongIn(call, text, caller) };
  } catch {
    return { ...NOTHING, ended: hasLeft ? "left" : "lost", status, requestId };
  } finally {
    clearTimeout(limit);
    clearTimeout(leaving);
  }
}

const NOTHING: Attempt = {
  ended: "lost",
  status: null,
  requestId: null,
  charged: null,
  replayed: false,
  message: null,
  wrong: null,
};

function send(call: PlannedCall, { origin, key, isBrief }: Caller, signal: AbortSignal): Promise<Response> {
  return fetch(`${origin}${PATHS[call.kind]}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      ...(call.idempotencyKey === null ? {} : { "idempotency-key": call.idempotencyKey }),
    },
    body: JSON.stringify(bodyOf(call)),
    signal,
    keepalive: isBrief !== true,
  });
}

function bodyOf({ kind, model, prompt, isStream }: PlannedCall): Body {
  if (kind === "image" || kind === "video") return { model, prompt };
  return { model, stream: isStream, messages: [{ role: "user", content: prompt }] };
}

/** Null if the client stopped reading after `enoughBytes`. */
async function readAll(response: Response, enoughBytes: number | null): Promise<string | null> {
  if (enoughBytes === null) return response.text();
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let bytes = 0; reader !== undefined; ) {
    const { value, done } = await reader.read();
    if (done) break;
    bytes += value.length;
    text += decoder.decode(value, { stream: true });
    if (bytes >= enoughBytes) return null;
  }
  return text;
}

function readAnswer(call: PlannedCall, response: Response, text: string): Attempt {
  const base = {
    ...NOTHING,
    status: response.status,
    requestId: response.headers.get("x-request-id"),
    replayed: response.headers.get("idempotent-replayed") === "true",
  };
  if (!response.ok) return { ...base, ended: "error", message: messageIn(text) };
  if (call.kind === "v1_stream") return { ...base, ...readChunks(text) };
  if (call.isStream) return { ...base, ...readEvents(text) };
  const body = JSON.parse(text) as Body;
  if (call.kind === "video") return { ...base, ended: "waits", requestId: String(body["request_id"]) };
  return { ...base, ...doneWith(body) };
}

function doneWith(body: Body): Pick<Attempt, "ended" | "charged"> & { requestId?: string } {
  const requestId = body["request_id"];
  const charged = Number(body["credits_charged"]);
  return { ended: "done", charged, ...(typeof requestId === "string" ? { requestId } : {}) };
}

/** A native stream ends in `done` or `error`; without either, it was cut off. */
function readEvents(text: string): Partial<Attempt> {
  const last = text.endsWith("\n\n") ? eventsIn(text).at(-1) : undefined;
  if (last?.event === "done") return doneWith(last.data);
  if (last?.event === "error") return { ended: "error", message: messageIn(JSON.stringify(last.data)) };
  return { ended: "lost" };
}

function readChunks(text: string): Partial<Attempt> {
  const chunks = text
    .split("\n\n")
    .filter((frame) => frame.startsWith("data: {"))
    .map((frame) => frame.slice("data: ".length));
  const failed = chunks.find((chunk) => chunk.includes('"error"'));
  if (failed !== undefined) return { ended: "error", message: messageIn(failed) };
  const paid = chunks.find((chunk) => chunk.includes('"credits_charged"'));
  if (paid === undefined || !text.includes("data: [DONE]")) return { ended: "lost" };
  return { ended: "done", charged: Number((JSON.parse(paid) as Body)["credits_charged"]) };
}

function messageIn(text: string): string {
  const message = /"message":\s*"([^"]{0,300})/.exec(text)?.[1];
  return message ?? text.slice(0, 100);
}

function wrongIn(call: PlannedCall, text: string, { secrets }: Caller): string | null {
  if (secrets.some((secret) => text.includes(secret))) return "a secret in a reply";
  const others = /answer (\d+):/.exec(text)?.[1];
  if (others === undefined || others === String(call.tag)) return null;
  return `the answer of call ${others} instead of ${opening(call)}`;
}
