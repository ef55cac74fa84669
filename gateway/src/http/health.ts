import { timingSafeEqual } from "node:crypto";
import { AppError, sha256 } from "../kit/index.ts";
import { METRICS_CONTENT_TYPE } from "../telemetry/index.ts";
import type { ClientAddress } from "./client-address.ts";
import type { HttpDeps, Readiness } from "./context.ts";
import type { SiteRoute } from "./pages/site-route.ts";
import { jsonReply, textReply } from "./reply.ts";
import { isHostWithoutDomain } from "./request-target.ts";

export const DATABASE_AWAY: Readiness = { ready: false, reason: "The database does not answer." };

const NOT_PREPARED: Readiness = { ready: false, reason: "The start is not finished yet." };

/** However often readiness is requested, the database is asked once in this time. */
const READINESS_TTL_MS = 1_000;

/** Lets `bursar doctor` tell a gateway on its own database from any other process that has the port. */
const CHALLENGE_HEADER = "x-bursar-challenge";
const PROOF_HEADER = "x-bursar-proof";
const MAX_CHALLENGE_CHARACTERS = 64;

/** For load balancers and monitoring: liveness, readiness and metrics. */
export function healthRoutes(deps: HttpDeps, clientAddress: ClientAddress): readonly SiteRoute[] {
  const readiness = remember(() => deps.readiness());
  /** Siblings get the same snapshot that is shown here: a total that one of them shows later must not be lower. */
  async function figures(): Promise<string> {
    const own = deps.metrics.render();
    const others = (await deps.siblingMetrics?.(own)) ?? [];
    return others.length === 0 ? own : deps.metrics.merge([own, ...others]);
  }

  return [
    {
      path: "/healthz",
      respond({ request, requestId }) {
        const response = jsonReply(requestId, { status: "ok" });
        const challenge = request.headers.get(CHALLENGE_HEADER);
        if (challenge !== null && challenge.length <= MAX_CHALLENGE_CHARACTERS) {
          response.headers.set(PROOF_HEADER, deps.proveLease(challenge));
        }
        return response;
      },
    },
    {
      path: "/readyz",
      async respond({ requestId }) {
        const answer = deps.isPrepared?.() === false ? NOT_PREPARED : await readiness();
        if (answer.ready) return jsonReply(requestId, { status: "ready" });
        return jsonReply(requestId, { status: "not_ready", reason: answer.reason }, 503);
      },
    },
    {
      path: "/metrics",
      async respond({ request, connection, requestId }) {
        const peer = connection.peerAddress(request);
        const token = request.headers.get("authorization");
        const { isProduction, metricsToken } = deps.settings;
        // A proxy on this machine that sends no header of its own would make the whole world local.
        const isLocal =
          !isProduction && clientAddress.isLoopback(peer, request.headers) && isHostWithoutDomain(request);
        if (!isLocal && !isToken(token, metricsToken)) {
          throw new AppError(
            "unauthorized",
            "Metrics can be read with BURSAR_METRICS_TOKEN as Bearer; outside production, from this machine without it.",
          );
        }
        const response = textReply(requestId, await figures());
        response.headers.set("content-type", METRICS_CONTENT_TYPE);
        return response;
      },
    },
  ];
}

function isToken(header: string | null, token: string | null): boolean {
  if (header === null || token === null) return false;
  // Hashes have equal length, so the comparison reveals nothing about the token's.
  return timingSafeEqual(sha256(header), sha256(`Bearer ${token}`));
}

function remember(ask: () => Promise<Readiness>): () => Promise<Readiness> {
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let answer: Promise<Readiness> | null = null;
  return () => {
    const nowMs = performance.now();
    if (answer === null || nowMs - askedAtMs >= READINESS_TTL_MS) {
      askedAtMs = nowMs;
      answer = ask().catch(() => DATABASE_AWAY);
    }
    return answer;
  };
}
