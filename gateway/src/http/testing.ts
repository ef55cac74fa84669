import { createReadLimiter } from "../admission/index.ts";
import type { Library } from "../assets/index.ts";
import { catalogWith, TEXT_ENTRY } from "../catalog/testing.ts";
import type { ChatCall, ChatOutcome, Paid } from "../generation/index.ts";
import { createKeyGuard, type Principal, SCOPES, type Scope } from "../identity/index.ts";
import { createSignedPlaces, credits, systemClock } from "../kit/index.ts";
import { createMetrics, type Log, noopTracer, silentLog } from "../telemetry/index.ts";
import type { UsageView } from "../usage/index.ts";
import { type App, createApp } from "./app.ts";
import type { HttpDeps, HttpSettings } from "./context.ts";
import { createCallSeal } from "./openai/sealed/sealed-call-id.ts";
import { createReasoningSeal } from "./openai/sealed/sealed-reasoning.ts";

/** For tests of the edge alone: small in-memory objects stand in for everything behind it. */
export type Edge = {
  readonly app: App;
  /** Every chat call that reached generation. */
  readonly calls: ChatCall[];
  readonly logged: { event: string; fields: Record<string, unknown> }[];
  send(path: string, init?: EdgeRequest): Promise<Response>;
};

export type EdgeRequest = {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** Null sends no key. */
  readonly key?: string | null;
  readonly peer?: string;
};

export type EdgeOptions = {
  readonly generation?: Partial<HttpDeps["generation"]>;
  readonly members?: HttpDeps["identity"]["members"];
  readonly settings?: Partial<HttpSettings>;
  readonly deps?: Partial<HttpDeps>;
};

export const CHAT_PATH = "/functions/v1/api-v1-chat";
export const USAGE_PATH = "/functions/v1/api-v1-usage";
export const CHAT_BODY = { model: "acme-chat", messages: [{ role: "user", content: "Hello" }] };
export const MEMBER_ID = "0190e3c2-0000-7000-8000-00000000000a";

export function principalWith(scopes: readonly Scope[] = SCOPES, active = true): Principal {
  return {
    organization: {
      id: "0190e3c2-0000-7000-8000-000000000001",
      name: "Acme",
      slug: "acme",
      plan: "pro",
      active,
      efficiency: "safe",
      disabledModels: new Set(),
    },
    keyId: "0190e3c2-0000-7000-8000-000000000002",
    scopes: new Set(scopes),
    limits: { requestsPerMinute: null, inFlight: null },
  };
}

/** The rate state of every caller. */
export const RATE = { limit: 600, remaining: 599, resetSeconds: 42 };

export function answered(call: ChatCall, content = "Hi."): Paid<ChatOutcome> {
  return {
    requestId: call.requestId,
    replayed: false,
    outcome: {
      model: call.model.id,
      answers: [{ content, refusal: "", reasoning: [], toolCalls: [], logprobs: [], finishReason: "stop" }],
      wire: null,
      finishReason: "stop",
      usage: {
        inputTokens: 3,
        outputTokens: 2,
        cachedInputTokens: 0,
        cacheWriteTokens: 0,
        reasoningTokens: 0,
      },
      efficiency: { originalEstimatedTokens: 3, compactedEstimatedTokens: 3, tokensSaved: 0, actions: [] },
      completedAtMs: Date.now(),
    },
    creditsCharged: credits(1),
    balance: { subscription: credits(10), anytime: credits(20) },
    rate: RATE,
  };
}

function notPlayed(): Promise<never> {
  return Promise.reject(new Error("not played here"));
}

const NO_LIBRARY: Library = {
  store: notPlayed,
  list: notPlayed,
  find: notPlayed,
  ofRequest: notPlayed,
  delete: notPlayed,
  withdraw: notPlayed,
  open: notPlayed,
  openSurely: notPlayed,
  keepPrivate: notPlayed,
  openPrivate: notPlayed,
  dropPrivate: notPlayed,
  sweep: notPlayed,
};

/** Keys are plain words: `good`, one per scope, `inactive`, `malformed`, `revoked`, `expired`; all others are unknown. */
function authenticate(header: string | null) {
  const key = header?.startsWith("Bearer ") ? header.slice("Bearer ".length) : null;
  if (key === null || key.includes(",")) return { outcome: "unauthorized" } as const;
  if (key === "good") return { outcome: "ok", principal: principalWith() } as const;
  if (key === "inactive") return { outcome: "ok", principal: principalWith(SCOPES, false) } as const;
  const scope = SCOPES.find((known) => known === key);
  if (scope) return { outcome: "ok", principal: principalWith([scope]) } as const;
  if (key === "malformed") return { outcome: "invalid_key", fault: "malformed" } as const;
  if (key === "revoked" || key === "expired") return { outcome: "invalid_key", fault: key } as const;
  return { outcome: "key_not_found" } as const;
}

function edgeSettings(settings: Partial<HttpSettings> = {}): HttpSettings {
  return {
    publicUrl: "https://ai.example.com",
    keyPrefix: "svc_live_",
    aliasPrefix: "svc-",
    trustedProxies: [],
    metricsToken: null,
    isProduction: false,
    bodyBytes: 4 * 1024 * 1024,
    compatibleBodyBytes: 32 * 1024 * 1024,
    videoBodyBytes: 40 * 1024 * 1024,
    bigBodyBytes: 1024 * 1024,
    bigBodiesAtOnce: 8,
    bigBodiesBytes: 512 << 20,
    jsonDepth: 64,
    messages: 10_000,
    privateMediaHosts: [],
    bodyTimeoutMs: 5_000,
    keepAliveMs: 15_000,
    stallMs: 60_000,
    maxRunningCalls: 1_000,
    ...settings,
  };
}

export function createEdge(options: EdgeOptions = {}): Edge {
  const calls: ChatCall[] = [];
  const logged: Edge["logged"] = [];
  const log: Log = {
    ...silentLog,
    error: (event, fields = {}) => void logged.push({ event, fields }),
  };
  const app = createApp({
    settings: edgeSettings(options.settings),
    identity: {
      authenticate,
      keyGuard: createKeyGuard({ clock: systemClock, delayMs: 5 }),
      members: options.members ?? { isMember: async (_, userId) => userId === MEMBER_ID },
    },
    catalog: catalogWith({ models: [TEXT_ENTRY], aliases: { "svc-fast": ["acme-chat"] } }),
    usage: {
      balanceView: () => Promise.reject(new Error("not played here")),
      usageView: async (_, asked) => ({ asked }) as unknown as UsageView,
    },
    usageCursors: createSignedPlaces("a secret of the tests", "usage_cursor"),
    countRefusal: () => {},
    library: NO_LIBRARY,
    readLimiter: createReadLimiter(systemClock),
    generation: {
      async chat(call) {
        calls.push(call);
        return answered(call);
      },
      chatStream: () => Promise.reject(new Error("not played here")),
      image: () => Promise.reject(new Error("not played here")),
      audio: () => Promise.reject(new Error("not played here")),
      ...options.generation,
    },
    video: { submit: () => Promise.reject(new Error("not played here")), find: async () => null },
    callSeal: createCallSeal("a secret for tests"),
    reasoningSeal: createReasoningSeal("a secret for tests"),
    readiness: async () => ({ ready: true }),
    proveLease: (challenge) => `proof for ${challenge}`,
    log,
    metrics: createMetrics(),
    tracer: noopTracer,
    ...options.deps,
  });
  return {
    app,
    calls,
    logged,
    async send(path, { key = "good", headers = {}, peer = "203.0.113.7", ...init } = {}) {
      const all = new Headers({ "content-type": "application/json", ...headers });
      if (key !== null) all.set("authorization", `Bearer ${key}`);
      const method = init.method ?? (init.body === undefined ? "GET" : "POST");
      const request = new Request(`http://edge.test${path}`, { ...init, method, headers: all });
      return app.fetch(request, { peerAddress: () => peer, streamEnded: () => {} });
    },
  };
}

export function sendChat(edge: Edge, body: unknown, init: EdgeRequest = {}): Promise<Response> {
  return edge.send(CHAT_PATH, { ...init, body: typeof body === "string" ? body : JSON.stringify(body) });
}

/** The code and message of an error in the main interface's envelope. */
export async function nativeErrorOf(response: Response): Promise<{ code: string; message: string }> {
  const { error } = (await response.json()) as {
    error: { code: string; message: string; request_id: string };
  };
  if (error.request_id !== response.headers.get("x-request-id")) throw new Error("request ids differ");
  return { code: error.code, message: error.message };
}
