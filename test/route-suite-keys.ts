import { createKeyCodec, OPERATOR, SCOPES, type Scope } from "../gateway/src/identity/index.ts";
import { assert } from "../gateway/src/kit/index.ts";
import type { TestGateway, TestOrganization } from "./harness.ts";

type BadKey = {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: 401 | 403;
  readonly code: string;
  /** How the message must begin. */
  readonly says?: string;
};

export type SuiteKeys = {
  readonly good: string;
  readonly bad: readonly BadKey[];
  /** Per scope, a key with that scope only. */
  readonly ofScope: ReadonlyMap<Scope, string>;
  /** None of these may be named as a member: unknown ids, a member of another organization, a former member. */
  readonly notMembers: readonly string[];
  readonly member: string;
};

const HOUR_MS = 3_600_000;

/** For the route suite: every kind of key that a client can have, created in a real gateway. */
export async function makeSuiteKeys(gateway: TestGateway, own: TestOrganization): Promise<SuiteKeys> {
  const { identity } = gateway.services;
  const other = await gateway.found();
  const inactive = await gateway.found();
  const expiring = await own.mint({ expiresInMs: HOUR_MS });
  const revoked = await own.mint();
  await identity.keys.revoke({ organizationId: own.id, keyId: revoked.keyId, actor: OPERATOR });
  const closed = await identity.organizations.update({
    organizationId: inactive.id,
    active: false,
    actor: OPERATOR,
  });
  assert(closed.outcome === "ok", "the organization can be made inactive");
  const member = await own.addMember("member@example.com");
  const gone = await own.addMember("gone@example.com");
  await identity.members.remove({ organizationId: own.id, userId: gone, actor: OPERATOR });
  const stranger = await other.addMember("stranger@example.com");
  const ofScope = new Map<Scope, string>();
  for (const scope of SCOPES) ofScope.set(scope, (await own.mint({ scopes: [scope] })).key);
  await gateway.database.advanceClock(2 * HOUR_MS);
  await identity.refresh();
  return {
    good: own.key,
    bad: badKeys({ good: own.key, expired: expiring.key, revoked: revoked.key, inactive: inactive.key }),
    ofScope,
    notMembers: ["nobody", crypto.randomUUID(), stranger, gone, `${member}, ${member}`],
    member,
  };
}

function badKeys(keys: {
  good: string;
  expired: string;
  revoked: string;
  inactive: string;
}): readonly BadKey[] {
  const { good } = keys;
  const bearer = (name: string, key: string, code: string, status: 401 | 403 = 401): BadKey => {
    return { name, headers: { authorization: `Bearer ${key}` }, status, code };
  };
  // Visible from the text alone, so the message may say it. No other bad key is told what is wrong with it.
  const malformed = (name: string, key: string): BadKey => ({
    ...bearer(name, key, "invalid_key"),
    says: "The API key is malformed. Send all of its 52 characters",
  });
  const unauthorized = (name: string, headers: Record<string, string>): BadKey => {
    return { name, headers, status: 401, code: "unauthorized" };
  };
  const flipped = `${good.slice(0, -1)}${good.endsWith("a") ? "b" : "a"}`;
  return [
    unauthorized("no header", {}),
    unauthorized("another scheme", { authorization: `Basic ${good}` }),
    unauthorized("no scheme", { authorization: good }),
    unauthorized("two headers", { authorization: `Bearer ${good}, Bearer ${good}` }),
    unauthorized("a cookie", { cookie: `key=${good}; authorization=Bearer ${good}` }),
    unauthorized("an x-api-key header", { "x-api-key": good }),
    malformed("nothing after the scheme", ""),
    malformed("a wrong prefix", good.replace("svc_live_", "svc_test_")),
    malformed("a missing character", good.slice(0, -1)),
    malformed("a character too many", `${good}x`),
    malformed("one wrong character", flipped),
    malformed("a look-alike character", good.replace("svc", "sv\u00e7")),
    malformed("SQL", "svc_live_' or '1'='1"),
    malformed("ten thousand characters", `svc_live_${"a".repeat(10_000)}`),
    bearer("a key that was never created", createKeyCodec("svc_live_").mint(), "key_not_found"),
    bearer("a revoked key", keys.revoked, "invalid_key"),
    bearer("an expired key", keys.expired, "invalid_key"),
    bearer("a key of an inactive organization", keys.inactive, "org_inactive", 403),
  ];
}
