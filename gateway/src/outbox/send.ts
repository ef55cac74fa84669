import { createHmac } from "node:crypto";
import type { Sealer } from "../kit/index.ts";
import { type PublicPost, UnsafeAddress } from "../outbound/index.ts";
import { bodyOf, type Letter, letterOf, OPERATORS, type OutboxEvent, sentenceOf } from "./events.ts";
import type { Claim } from "./store.ts";

/** accepted: by whoever got it. refused: for good, so that another try would bring the same. */
type Sent = {
  readonly outcome: "accepted" | "failed" | "refused";
  readonly httpStatus: number | null;
  /** One of a closed list, never what an endpoint answered. */
  readonly problem: "address" | "connection" | "recipients" | "sealed" | "status" | "timeout" | null;
};

export type SendDeps = {
  readonly sealer: Sealer;
  readonly post: PublicPost;
  /** Null if mail is not configured. refused: permanently. lost: a later try may succeed. */
  readonly mail:
    | ((message: Letter & { readonly to: string }) => Promise<"taken" | "refused" | "lost">)
    | null;
  /** Who gets an email of this claim now. */
  recipients(claim: Claim, address: string | null): Promise<readonly string[]>;
  /** Whether endpoints of organizations may be inside: only where nobody else can reach this gateway. */
  readonly isLocal: boolean;
  /** URL of the console. */
  readonly pages: string;
  /** To connect, and for the whole answer. */
  readonly timeoutMs: number;
};

const OWNERS = "You received this email because you are an owner or admin of the organization.";
const ASKED = "You received this email because your address stands among the webhooks of the organization.";

export async function send(
  deps: SendDeps,
  claim: Claim,
  event: OutboxEvent,
  signal: AbortSignal,
): Promise<Sent> {
  const address = claim.address === null ? null : deps.sealer.open(claim.address, claim.endpointId);
  if (address === null && claim.kind !== "owners") return failed("sealed");
  if (claim.kind === "owners" || claim.kind === "email") return sendEmail(deps, claim, event, address);
  const name = claim.orgName ?? "this gateway";
  const body = claim.kind === "slack" ? slackBody(sentenceOf(event, name)) : bodyOf(event);
  const signatures = claim.kind === "slack" ? {} : signed(deps, claim, event.id, body);
  if (signatures === null || address === null) return failed("sealed");
  try {
    const status = await deps.post(address, {
      headers: { "content-type": "application/json", "user-agent": "Bursar-Webhooks", ...signatures },
      body,
      timeoutMs: deps.timeoutMs,
      signal,
      // An operator's endpoint may be inside: its address is the operator's own word.
      allowedHosts: deps.isLocal || claim.orgId === OPERATORS ? [new URL(address).host] : [],
    });
    if (status >= 200 && status < 300) return { outcome: "accepted", httpStatus: status, problem: null };
    return { outcome: "failed", httpStatus: status, problem: "status" };
  } catch (error) {
    if (error instanceof UnsafeAddress) return failed("address");
    return failed(
      error instanceof Error && "kind" in error && error.kind === "timeout" ? "timeout" : "connection",
    );
  }
}

function failed(problem: Sent["problem"]): Sent {
  return { outcome: "failed", httpStatus: null, problem };
}

/** The headers of Standard Webhooks, one signature for each secret; null if one cannot be read. */
function signed(deps: SendDeps, claim: Claim, id: string, body: string): Record<string, string> | null {
  const secrets = claim.secrets.map((sealed) => deps.sealer.open(sealed, claim.endpointId));
  if (secrets.includes(null)) return null;
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = secrets
    .map((secret) => signatureOf(String(secret), `${id}.${timestamp}.${body}`))
    .join(" ");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature };
}

export const SECRET_PREFIX = "whsec_";

function signatureOf(secret: string, signedText: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
  return `v1,${createHmac("sha256", key).update(signedText).digest("base64")}`;
}

/** A name must not become a mention or a link there. */
function slackBody(sentence: string): string {
  const text = sentence.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return JSON.stringify({ text: `${text}.` });
}

async function sendEmail(
  deps: SendDeps,
  claim: Claim,
  event: OutboxEvent,
  address: string | null,
): Promise<Sent> {
  const { mail } = deps;
  if (mail === null) return failed("connection");
  const why = claim.kind === "owners" ? OWNERS : ASKED;
  const letter = letterOf(event, { name: claim.orgName ?? "this gateway", pages: deps.pages, why });
  try {
    const people = await deps.recipients(claim, address);
    const taken = await Promise.all(people.map((to) => mail({ ...letter, to }).catch(() => "lost")));
    if (taken.includes("taken")) return { outcome: "accepted", httpStatus: null, problem: null };
    return taken.includes("lost") ? failed("connection") : { ...failed("recipients"), outcome: "refused" };
  } catch {
    return failed("connection");
  }
}
