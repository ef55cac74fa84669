import { createRandom } from "../../simulation/random.ts";
import type { FuzzGateway } from "./fuzz-gateway.ts";
import type { Finding } from "./fuzz-parsers.ts";
import { MOST_BLOCKED_MS, watchLoop } from "./loop-watch.ts";
import { type FuzzRequest, makeRequest } from "./make-request.ts";
import { makeSiteRequest } from "./make-site-request.ts";
import { seedOf } from "./request-seeds.ts";

export type RequestRun = {
  readonly target: string;
  readonly inputs: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly longestMs: number;
  readonly findings: readonly Finding[];
};

const MOST_FINDINGS = 10;
const AT_ONCE = 16;
/** Text that no response may contain. */
const LEAKS = [
  "sk-upstream-canary",
  "svc_live_",
  "node_modules",
  "/src/",
  "postgres",
  "\n    at ",
  "ECONNREFUSED",
];
/** Deliberate 5xx replies: they name what failed, or tell the caller to retry. */
const TOLD = new Set([502, 503, 504]);

/** Sends `inputs` calls, a few at a time, to random API routes and to everything else the gateway serves. */
export async function fuzzRequests(fuzzed: FuzzGateway, inputs: number, seed: number): Promise<RequestRun> {
  const random = createRandom(seed);
  const next = requestMaker(fuzzed, random);
  const statuses: Record<string, number> = {};
  const findings: Finding[] = [];
  const loop = watchLoop();
  let sent = 0;

  async function worker(): Promise<void> {
    while (sent < inputs && findings.length < MOST_FINDINGS) {
      sent++;
      const request = next();
      const before = loop.longestMs;
      const note = (what: string) =>
        findings.push({ target: "whole requests", input: described(request), what });
      try {
        const { status, what } = await judge(fuzzed.gateway.origin, request);
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (what !== null) note(what);
      } catch (error) {
        note(`no answer: ${String(error)}`);
      }
      if (loop.longestMs > MOST_BLOCKED_MS && loop.longestMs > before) {
        note(`the loop stood still for ${Math.round(loop.longestMs)} ms while this was answered`);
      }
    }
  }

  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  loop.stop();
  return { target: "whole requests", inputs: sent, statuses, longestMs: loop.longestMs, findings };
}

function requestMaker(
  { routes, own, owner, modelsFor, gateway }: FuzzGateway,
  random: ReturnType<typeof createRandom>,
) {
  const seeds = new Map(routes.map((route) => [route, seedOf(route)]));
  const { cookie, token } = owner;
  const session = { cookie, token, origin: gateway.origin, organizationId: own.id };
  return (): FuzzRequest => {
    if (random.chance(0.2)) return makeSiteRequest(random, session);
    const route = random.pick(routes);
    const seed = seeds.get(route) ?? seedOf(route);
    return makeRequest(random, { route, seed, key: own.key, models: modelsFor(route) });
  };
}

async function judge(
  origin: string,
  { method, path, headers, body }: FuzzRequest,
): Promise<{ readonly status: number; readonly what: string | null }> {
  const isBodiless = method === "GET" || method === "HEAD" || body === null;
  const response = await fetch(`${origin}${path}`, {
    method,
    headers,
    redirect: "manual",
    ...(isBodiless ? {} : { body: new Uint8Array(body) }),
  });
  const text = await response.text();
  const { status } = response;
  const isPage =
    path.startsWith("/docs") ||
    path.startsWith("/openapi.json") ||
    path.startsWith("/console") ||
    path === "/";
  const leak = isPage && status === 200 ? undefined : LEAKS.find((each) => text.includes(each));
  if (leak !== undefined) return { status, what: `says ${JSON.stringify(leak)}: ${text.slice(0, 300)}` };
  if (status >= 500 && !(TOLD.has(status) && text.includes('"message"'))) {
    return { status, what: `${status}: ${text.slice(0, 300)}` };
  }
  return { status, what: null };
}

function described({ method, path, headers, body }: FuzzRequest): string {
  const sent = {
    method,
    path,
    headers: { ...headers, authorization: "…", cookie: "…" },
    body: body?.toString("base64"),
  };
  return JSON.stringify(sent).slice(0, 20_000);
}
