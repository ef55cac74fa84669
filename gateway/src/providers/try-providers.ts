import { type FreeQuestion, ProviderFailure, type ProviderTrial } from "../contract/index.ts";
import { isObject } from "../kit/index.ts";
import {
  createOutboundFetch,
  discard,
  type OutboundFetch,
  type OutboundWay,
  readJson,
} from "../outbound/index.ts";
import { createProviders } from "./registry.ts";
import type { ProviderSettings } from "./settings.ts";

const LIMIT_MS = 3_000;
/** The longest lists have a few thousand models. */
const MAX_BODY_BYTES = 8 << 20;
const AT_ONCE = 16;

/** Some vendors answer a wrong key with 400. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403]);

/** Trials by provider name. Each provider is asked once, for at most three seconds. */
export async function tryProviders(
  settings: ReadonlyMap<string, ProviderSettings>,
  { outboundWay: way, limitMs = LIMIT_MS }: { outboundWay?: OutboundWay; limitMs?: number } = {},
): Promise<ReadonlyMap<string, ProviderTrial>> {
  const timeouts = { connectMs: limitMs, firstByteMs: limitMs, idleMs: limitMs };
  const outbound = createOutboundFetch({ timeouts, way, maxBodyBytes: MAX_BODY_BYTES, provider: "a trial" });
  const left = createProviders(settings, { timeouts });
  const trials = new Map<string, ProviderTrial>();
  async function tryInTurn(): Promise<void> {
    for (let provider = left.shift(); provider !== undefined; provider = left.shift()) {
      const { name, freeQuestion } = provider;
      trials.set(
        name,
        freeQuestion ? await ask(freeQuestion, { outbound, limitMs }) : { outcome: "untried" },
      );
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, tryInTurn));
  return trials;
}

async function ask(
  { url, headers, form, provesKey, listsModels }: FreeQuestion,
  { outbound, limitMs }: { readonly outbound: OutboundFetch; readonly limitMs: number },
): Promise<ProviderTrial> {
  // Limits the whole exchange: a trickling body would stay within the timeouts of a call.
  const signal = AbortSignal.timeout(limitMs);
  const [asked = url] = url.split("?");
  let status: number | null = null;
  try {
    const sent = form === undefined ? { method: "GET" as const } : { method: "POST" as const, body: form() };
    const response = await outbound(url, { ...sent, headers, signal });
    status = response.status;
    if (!response.ok) discard(response);
    // A rate limit means that the key was accepted.
    if (status === 429) return { outcome: "answered", provesKey, models: null };
    if (REFUSALS.has(status)) return { outcome: "refused", status };
    if (!response.ok) return { outcome: "unexpected", status, asked };
    const answer = await readJson(response, MAX_BODY_BYTES);
    return { outcome: "answered", provesKey, models: listsModels ? modelsOf(answer) : null };
  } catch (error) {
    if (signal.aborted) return { outcome: "unreached", reason: `no answer within ${limitMs / 1_000} s` };
    if (!(error instanceof ProviderFailure)) throw error;
    if (status !== null) return { outcome: "unexpected", status: null, asked };
    return { outcome: "unreached", reason: error.detail.internal ?? error.publicMessage };
  }
}

/** Null if it is not a list, or only its first page. */
function modelsOf(answer: unknown): ReadonlySet<string> | null {
  if (!isObject(answer)) return null;
  if (answer["has_more"] === true || answer["nextPageToken"] !== undefined) return null;
  const listed = answer["data"] ?? answer["models"];
  if (!Array.isArray(listed)) return null;
  const names = listed.map((model) => (isObject(model) ? (model["id"] ?? model["name"]) : null));
  return new Set(
    names.filter((name) => typeof name === "string").map((name) => name.replace(/^models\//, "")),
  );
}
