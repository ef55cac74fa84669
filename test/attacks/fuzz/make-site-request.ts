import type { Random } from "../../simulation/random.ts";
import { HOSTILE_TEXTS } from "./hostile-values.ts";
import type { FuzzRequest } from "./make-request.ts";
import { printable } from "./make-request.ts";
import { mutateBytes } from "./mutate-bytes.ts";
import { mutateJson } from "./mutate-json.ts";

const ID = "0190e3c2-0000-7000-8000-000000000000";

const QUERIES: Readonly<Record<string, object>> = {
  ...{
    session: {},
    sessions: {},
    "key.list": {},
    "member.list": {},
    "billing.get": {},
    "organization.get": {},
    "model.list": {},
    "usage.overview": {},
    "audit.list": { limit: 5, cursor: "5", operation: "key.create", face: "rest" },
    "installation:audit.list": {},
  },
  ...{
    invitation: { token: "x" },
    "asset.get": { id: ID },
    "order.get": { id: ID },
    "request.get": { requestId: ID },
  },
  "asset.list": { type: "image", limit: 5, cursor: "x" },
  "ledger.list": { cursor: "5", limit: 5, pool: "anytime", type: "grant" },
  "usage.get": { split: "key", days: 7, model: "m", keyId: ID, memberId: "none", endpoint: "api-v1-chat" },
  "request.list": { days: 7, sort: "credits", order: "up", status: "ok", cursor: `1.${ID}.${ID}`, limit: 5 },
};

/** For any other organization, the request would be refused before its parameters are read. */
const exportOf = (organizationId: string) => ({ "request.export": { days: 7, organizationId } });

/** Excludes commands that would end the session, close the organization or remove a member. */
const COMMANDS: Readonly<Record<string, object>> = {
  "end-session": { id: "x" },
  rename: { name: "Other" },
  "key.create": { name: "Key", scopes: ["chat"], expiresIn: "5d", requestsPerMinute: 5 },
  "key.rotate": { id: ID, grace: "0" },
  "key.revoke": { id: ID },
  "invitation.cancel": { id: ID },
  "member.set-role": { id: ID, role: "member", seenRole: "member" },
  "member.remove": { id: ID },
  "model.switch": { id: "x", isOn: false },
  "asset.delete": { id: ID },
  "billing.buy": { packs: ["none"] },
  "billing.change-plan": { plan: "none" },
  "organization.update": { name: "Other", efficiency: "safe", seenName: "x" },
  "accept-invitation": { token: "x", name: "A", password: "a password of somebody" },
  "confirm-sign-up": { token: "x" },
  "choose-organization": { id: ID },
};

const PAGES = [
  ...[
    "/",
    "/docs",
    "/favicon.ico",
    "/openapi.json",
    "/healthz",
    "/readyz",
    "/console",
    "/console/keys",
    "/console/icon.svg",
  ],
  ...[
    "/docs/viewer/x.js",
    "/console/files/x.js",
    `/library/${"a".repeat(32)}.png`,
    "/webhooks/stripe",
    "/metrics",
    "/manage/v1/openapi.json",
    "/manage/v1/organizations/acme/keys",
  ],
];

/** A request to anything beside the two APIs: pages, files, and everything that the console asks for. */
export function makeSiteRequest(
  random: Random,
  session: { cookie: string; token: string; origin: string; organizationId: string },
): FuzzRequest {
  if (random.chance(0.3)) return pageRequest(random);
  const isQuery = random.chance(0.6);
  const [name, input] = random.pick(
    Object.entries(isQuery ? { ...QUERIES, ...exportOf(session.organizationId) } : COMMANDS),
  );
  const body = mutateJson(random, input);
  const headers = {
    cookie: session.cookie,
    "x-forwarded-for": `198.18.${random.between(0, 255)}.${random.between(0, 255)}`,
  };
  if (isQuery) {
    const path = `/console/api/${name}?input=${encodeURIComponent(body.toString().toWellFormed())}`;
    return { method: "GET", path: path.slice(0, 8_000), headers, body: null };
  }
  const sent = {
    ...headers,
    "x-console-token": session.token,
    origin: session.origin,
    "content-type": "application/json",
  };
  return { method: "POST", path: `/console/api/${name}`, headers: sent, body };
}

function pageRequest(random: Random): FuzzRequest {
  const page = random.pick(PAGES);
  const path = random.chance(0.5)
    ? printable(mutateBytes(random, Buffer.from(page)))
    : `${page}?${encodeURIComponent(random.pick(HOSTILE_TEXTS).toWellFormed()).slice(0, 4_000)}`;
  const name = random.pick([
    "range",
    "if-none-match",
    "cookie",
    "accept-encoding",
    "if-range",
    "x-forwarded-host",
  ]);
  const value = random.pick([
    "bytes=0-1",
    "*",
    "a=b",
    "gzip",
    "x".repeat(3_000),
    "bytes=-9999999999999999",
    "=;,",
  ]);
  return {
    method: random.pick(["GET", "HEAD", "POST", "GET"]),
    path,
    headers: { [name]: value },
    body: null,
  };
}
