import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ConsoleFixture, createConsoleFixture } from "../http/console/testing.ts";
import type { Role } from "../identity/index.ts";
import { assert, newId } from "../kit/index.ts";
import {
  type Caller,
  FILE,
  type FileReply,
  OPERATIONS,
  type Operation,
  type OperationTable,
  type Problem,
  perform,
  Refused,
} from "./index.ts";

/** Ids of things that samples act on; made before each of them. */
type World = {
  readonly key: string;
  readonly member: string;
  readonly invitation: string;
  readonly managementKey: string;
  readonly order: string;
  readonly email: string;
  readonly webhook: string;
};
type Outcome = "ok" | Problem["code"];

/** A good input of each operation and what comes of it; the compiler asks for one when an operation is added. */
const SAMPLES: {
  readonly [Name in OperationTable["name"]]: (of: World) => readonly [object, Outcome?];
} = {
  "organization.create": () => [{ name: "New" }],
  "organization.list": () => [{}],
  "organization.get": () => [{}],
  "organization.update": () => [{ name: "Renamed", efficiency: "off" }],
  "organization.deactivate": () => [{ confirm: "wrong" }, "invalid"],
  "key.list": () => [{}],
  "key.create": () => [{ name: "Key", scopes: ["chat"], expiresIn: "30d" }],
  "key.rotate": ({ key }) => [{ id: key, grace: "1h" }],
  "key.revoke": ({ key }) => [{ id: key }],
  "member.list": () => [{}],
  "member.add": ({ email }) => [{ email: `new-${email}`, role: "member" }],
  "member.link": ({ email }) => [{ email }],
  "member.set-role": ({ member }) => [{ id: member, role: "admin" }],
  "member.remove": ({ member }) => [{ id: member }],
  "invitation.create": ({ email }) => [{ email: `invited-${email}`, role: "member" }],
  "invitation.cancel": ({ invitation }) => [{ id: invitation }],
  "usage.overview": () => [{}],
  "usage.get": () => [{ days: 7, split: "model" }],
  "request.list": () => [{ days: 7 }],
  "request.get": () => [{ requestId: newId() }, "not_found"],
  "request.export": () => [{ days: 7 }],
  "billing.get": () => [{}],
  "order.get": ({ order }) => [{ id: order }],
  "ledger.list": () => [{}],
  "billing.buy": () => [{ packs: ["small"] }],
  "billing.change-plan": () => [{ plan: "pro" }],
  "order.pay-test": ({ order }) => [{ id: order }],
  "billing.portal": () => [{}, "not_found"],
  "credits.grant": () => [{ pool: "anytime", amount: 5, reference: newId() }],
  "credits.adjust": () => [{ pool: "anytime", amount: 5, reason: "a gift" }],
  "credits.undo-expiry": () => [{}],
  "asset.list": () => [{}],
  "asset.get": () => [{ id: newId() }, "not_found"],
  "asset.delete": () => [{ id: newId() }, "not_found"],
  "model.list": () => [{}],
  "model.switch": () => [{ id: "acme-chat", isOn: false }],
  "management-key.create": () => [{ name: "CI", scopes: ["keys:write"] }],
  "management-key.list": () => [{}],
  "management-key.revoke": ({ managementKey }) => [{ id: managementKey }],
  "operator.add": ({ email }) => [{ email }],
  "operator.list": () => [{}],
  "operator.remove": ({ email }) => [{ email }, "not_found"],
  "webhook.list": () => [{}],
  "webhook.create": () => [{ address: "https://hooks.example/", types: ["key.created"] }],
  "webhook.update": ({ webhook }) => [{ id: webhook, paused: true }],
  "webhook.rotate-secret": ({ webhook }) => [{ id: webhook }],
  "webhook.test": ({ webhook }) => [{ id: webhook }],
  "webhook.remove": ({ webhook }) => [{ id: webhook }],
  "delivery.list": ({ webhook }) => [{ id: webhook }],
  "delivery.replay": ({ webhook }) => [{ id: webhook, since: "2020-01-01" }],
  "event.list": () => [{ limit: 5 }],
  "audit.list": () => [{}],
  "audit.export": () => [{}],
};

let fixture: ConsoleFixture;
let orgId: string;
let foreignId: string;
let people: Record<Role | "stranger" | "operator", Caller>;
let emails = 0;

beforeAll(async () => {
  fixture = await createConsoleFixture();
  orgId = (await fixture.createOrganization("Acme")).id;
  foreignId = (await fixture.createOrganization("Foreign")).id;
  people = {
    member: await person("member"),
    admin: await person("admin"),
    owner: await person("owner"),
    stranger: await person("owner", foreignId),
    operator: await person("owner", foreignId, true),
  };
});
afterAll(() => fixture.close());

async function person(role: Role, org = orgId, isOperator = false): Promise<Caller> {
  const { userId, email } = await fixture.addMember(org, role);
  if (isOperator) await fixture.identity.operators.add(email);
  return { kind: "person", id: userId, name: "Somebody", email, clientAddress: "10.0.0.1" };
}

const keys = new Map<string, Promise<Caller>>();
const keyOf = (organizationId: string | null, ...scopes: string[]) =>
  keys.getOrInsertComputed(`${organizationId} ${scopes}`, () => mintedKey(organizationId, scopes));

async function mintedKey(organizationId: string | null, scopes: string[]): Promise<Caller> {
  const ends = { expiresInMs: null, expiresAt: null, mintedBy: null };
  const minted = await fixture.identity.managementKeys.mint({ organizationId, name: "Key", scopes, ...ends });
  assert(minted.outcome === "ok", minted.outcome);
  const { id, name } = minted.key;
  return { kind: "key", id, name, scopes, organizationId, mintedBy: null, clientAddress: "10.0.0.2" };
}

async function outcomeOf(operation: Operation, by: Caller, org: string | null, input: unknown) {
  try {
    return {
      output: await perform(fixture.operations, operation, { by, face: "rest", org, input }),
      problem: null,
    };
  } catch (error) {
    if (error instanceof Refused) return { output: null, problem: error.problem };
    throw error;
  }
}

/** Whoever has the right comes as far as the input, which is wrong. */
const WRONG = { noSuchField: 1 };
const codeOf = async (operation: Operation, by: Caller, org: string | null) =>
  (await outcomeOf(operation, by, org, WRONG)).problem?.code;
/** A scope that it does not need. */
const otherScopeOf = ({ area }: Operation) => (area === "webhooks" ? "usage:read" : "webhooks:read");
const scopeOf = ({ area, access }: Operation) => (area === "system" ? area : `${area}:${access}`);
const table = OPERATIONS as readonly Operation[];
const ofOrganization = table.filter(({ place }) => place !== "installation");
const ofInstallation = table.filter(({ place }) => place !== "organization");

describe.each(ofOrganization.map((one) => [one.name, one] as const))("%s in an organization", (_, one) => {
  test("is for its roles and operators, before the input is read", async () => {
    const ranks: (Role | "operator")[] = ["member", "admin", "owner", "operator"];
    for (const role of ranks) {
      const isAllowed = ranks.indexOf(role) >= ranks.indexOf(one.who);
      expect([role, await codeOf(one, people[role], orgId)]).toEqual([
        role,
        isAllowed ? "invalid" : "forbidden",
      ]);
    }
    expect(await codeOf(one, { kind: "operator", name: "operator" }, orgId)).toBe("invalid");
  });

  test("answers strangers as if the organization did not exist", async () => {
    const missing = await outcomeOf(one, people.stranger, newId(), WRONG);
    expect(missing.problem?.code).toBe("not_found");
    for (const by of [people.stranger, await keyOf(foreignId, "all")])
      expect(await outcomeOf(one, by, orgId, WRONG)).toEqual(missing);
  });

  test("needs a key with its scope", async () => {
    const scope = scopeOf(one);
    expect(await codeOf(one, await keyOf(orgId, otherScopeOf(one)), orgId)).toBe("forbidden");
    const [own, of] = [await keyOf(orgId, scope), await keyOf(null, scope)];
    expect(await codeOf(one, own, orgId)).toBe(one.who === "operator" ? "forbidden" : "invalid");
    expect(await codeOf(one, of, orgId)).toBe("invalid");
    if (one.access === "read")
      expect(await codeOf(one, await keyOf(null, `${one.area}:write`), orgId)).toBe("invalid");
  });
});

describe.each(ofInstallation.map((one) => [one.name, one] as const))("%s of the installation", (_, one) => {
  test("is for operators and their keys with its scope", async () => {
    for (const by of [
      people.owner,
      people.stranger,
      await keyOf(orgId, "all"),
      await keyOf(null, otherScopeOf(one)),
    ])
      expect(await codeOf(one, by, null)).toBe("forbidden");
    for (const by of [people.operator, await keyOf(null, scopeOf(one))])
      expect(await codeOf(one, by, null)).toBe("invalid");
  });
});

async function world(): Promise<World> {
  // Orders are limited by the hour.
  await fixture.advanceClock(3 * 60_000);
  const { userId: member } = await fixture.addMember(orgId);
  const { email } = await fixture.addMember(foreignId);
  const make = async (name: OperationTable["name"], input: object) => {
    const made = await outcomeOf(operation(name), people.owner, orgId, input);
    return made.output as { id: string; url: string };
  };
  const bought = await make("billing.buy", { packs: ["small"] });
  await fixture.db.pool.query("delete from endpoints; select events_fan_out(false)");
  return {
    member,
    email,
    key: (await make("key.create", { name: "Key" })).id,
    invitation: (await make("invitation.create", { email: `one-${++emails}@example.com`, role: "member" }))
      .id,
    managementKey: (await make("management-key.create", { name: "CI", scopes: ["all"] })).id,
    order: bought.url.split("/").at(-1) ?? "",
    webhook: (await make("webhook.create", { address: "https://hooks.example/" })).id,
  };
}

const operation = (name: OperationTable["name"]) => table.find((one) => one.name === name) as Operation;

async function rowsOf(chain: string) {
  const { rows } = await fixture.db.pool.query<{ operation: string; line: string }>(
    "select operation, row_to_json(a)::text as line from audit a where chain = $1 order by seq",
    [chain],
  );
  return rows;
}

test.each(table.map((one) => [one.name, one] as const))(
  "%s answers as its schema says, and a change stands in the log once, without any secret",
  async (name, one) => {
    const sample = SAMPLES[name as OperationTable["name"]];
    const [input, expected = "ok"] = sample(await world());
    const isOrganizations = one.place !== "installation";
    const by = one.who === "operator" || !isOrganizations ? people.operator : people.owner;
    const before = await rowsOf(orgId);
    const { output, problem } = await outcomeOf(one, by, isOrganizations ? orgId : null, input);
    expect([problem?.message, problem?.code ?? "ok"]).toEqual([problem?.message, expected]);
    const added = (await rowsOf(orgId)).slice(before.length).filter((row) => row.operation === name);
    const isWritten =
      one.access === "write" && isOrganizations && (expected === "ok" || name === "billing.portal");
    expect(added).toHaveLength(isWritten ? 1 : 0);
    if (expected !== "ok") return;
    if (one.output === FILE) {
      expect(await new Response((output as FileReply).body).text()).toContain("\r\n");
      return;
    }
    expect(one.output.parse(output)).toEqual(output as never);
    for (const secret of JSON.stringify(output).match(
      /svc_(live|mgmt)_\w{8}|whsec_\w{8}|\/(link|invitation)\/[\w-]{8}/g,
    ) ?? [])
      expect(JSON.stringify(added)).not.toContain(secret);
  },
);
