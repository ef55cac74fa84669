import { afterAll, describe, expect, test } from "bun:test";
import { SCOPES } from "../../gateway/src/identity/index.ts";
import { type ConsoleClient, signInToConsole } from "../console-client.ts";
import { startTestGateway, type TestOrganization } from "../harness.ts";
import { publishTestAsset } from "../published-asset.ts";
import { parkBody } from "./parked-body.ts";

const gateway = await startTestGateway();
afterAll(() => gateway.close());

/** Who loses a permission, where, and who takes it away. */
type Scene = {
  readonly organization: TestOrganization;
  readonly victimId: string;
  readonly email: string;
  readonly victim: ConsoleClient;
  readonly keeper: ConsoleClient;
};

let people = 0;

async function openScene(): Promise<Scene> {
  const organization = await gateway.found({ plan: "free", credits: 1_000 });
  const email = `victim-${++people}@example.com`;
  await organization.addMember(`keeper-${people}@example.com`, "owner");
  const victimId = await organization.addMember(email, "owner");
  const victim = await signInToConsole(gateway, email);
  const keeper = await signInToConsole(gateway, `keeper-${people}@example.com`);
  return { organization, victimId, email, victim, keeper };
}

async function done(asked: Promise<Response>): Promise<Record<string, unknown>> {
  const answer = await asked;
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { ok: Record<string, unknown> }).ok;
}

const command = (client: ConsoleClient, name: string, input: unknown) =>
  done(client.post(`/console/api/${name}`, input));

/** What the victim may no longer do, and the error they get. */
const LOSSES = {
  signedOut: {
    take: async ({ email }: Scene) => {
      await command(await signInToConsole(gateway, email), "sign-out-everywhere", {});
    },
    told: [401, "signed_out"],
  },
  removed: {
    take: ({ keeper, victimId }: Scene) => command(keeper, "member.remove", { id: victimId }),
    told: [403, "forbidden"],
  },
  demoted: {
    take: ({ keeper, victimId }: Scene) =>
      command(keeper, "member.set-role", { id: victimId, role: "member", seenRole: "owner" }),
    told: [403, "forbidden"],
  },
} as const;

type Asked = { readonly path: string; readonly body: unknown };
const api = (name: string, body: unknown): Asked => ({ path: `/console/api/${name}`, body });

async function openOrder({ victim }: Scene): Promise<Asked> {
  const { url } = await command(victim, "billing.buy", { packs: ["medium"] });
  return api("order.pay-test", { id: String(url).split("/").at(-1) });
}

async function invitation({ email }: Scene): Promise<Asked> {
  const { keeper } = await openScene();
  const { link } = await command(keeper, "invitation.create", { email, role: "member" });
  return api("accept-invitation", { token: String(link).split("/").at(-1) });
}

const MINE = { name: "mine", scopes: [...SCOPES] };

const COMMANDS: Readonly<Record<string, (scene: Scene) => Asked | Promise<Asked>>> = {
  "key.create": () => api("key.create", MINE),
  "billing.change-plan": () => api("billing.change-plan", { plan: "pro" }),
  "billing.buy": () => api("billing.buy", { packs: ["medium"] }),
  "order.pay-test": openOrder,
  "asset.delete": async ({ organization }) =>
    api("asset.delete", { id: (await publishTestAsset(gateway, organization)).id }),
  "key.revoke": ({ organization }) => api("key.revoke", { id: organization.keyId }),
  "accept-invitation": invitation,
  rename: () => api("rename", { name: "Somebody else" }),
  chat: () => ({
    path: "/console/play/api-v1-chat",
    body: { model: "sandbox-chat", messages: [{ role: "user", content: "hello" }] },
  }),
};

const FOR_PEOPLE: ReadonlySet<string> = new Set(["accept-invitation", "rename"]);
const FOR_MEMBERS: ReadonlySet<string> = new Set(["chat", "asset.delete"]);

function lossesOf(name: string): readonly (keyof typeof LOSSES)[] {
  if (FOR_PEOPLE.has(name)) return ["signedOut"];
  return FOR_MEMBERS.has(name) ? ["signedOut", "removed"] : ["signedOut", "removed", "demoted"];
}

/** Everything that the commands above would change. */
async function stateOf({ organization, email }: Scene): Promise<unknown> {
  const { rows } = await gateway.database.db.pool.query(
    `select (select count(*) from api_keys where org_id = $1 and revoked_at is null and not internal) as keys,
            (select count(*) from payment_orders where org_id = $1) as orders,
            (select count(*) from payments where org_id = $1) as payments,
            (select count(*) from assets where org_id = $1) as assets,
            (select count(*) from requests where org_id = $1) as calls,
            (select name from "user" where email = $2) as name,
            (select count(*) from invitation where email = $2 and status = 'pending') as invitations`,
    [organization.id, email],
  );
  return rows;
}

/** Waits until the parked command was surely seen: several later requests were answered, one after the other. */
async function lookedAt({ keeper }: Scene): Promise<void> {
  for (let asked = 0; asked < 5; asked++) await keeper.query("member.list");
}

describe("a command is refused if the permission for it is lost before its body arrives", () => {
  const cases = Object.keys(COMMANDS).flatMap((name) => lossesOf(name).map((loss) => [name, loss] as const));

  test.each(cases)("%s by a user who is %s", async (name, loss) => {
    const scene = await openScene();
    const { victim } = scene;
    const asked = await COMMANDS[name]?.(scene);
    if (!asked) throw new Error(name);
    const before = await stateOf(scene);
    const parked = parkBody(gateway.origin, {
      ...asked,
      headers: { cookie: victim.cookie, "x-console-token": victim.token, origin: gateway.origin },
    });
    await lookedAt(scene);
    await LOSSES[loss].take(scene);
    const { status, text } = await parked.finish();
    expect([status, (JSON.parse(text) as { problem?: { code: string } }).problem?.code]).toEqual([
      ...LOSSES[loss].told,
    ]);
    expect(await stateOf(scene)).toEqual(before);
  });
});

test("a command without a session or token is refused before its body is read", async () => {
  const { cookie } = (await openScene()).victim;
  const { origin } = gateway;
  const senders: Record<string, string>[] = [{ origin }, { origin, cookie }];
  const answers = senders.map((headers) =>
    parkBody(origin, { ...api("key.create", MINE), headers }).refused(),
  );
  expect(await Promise.all(answers)).toEqual([401, 403]);
});

test("a sign-out succeeds if its session ends before its body arrives", async () => {
  const scene = await openScene();
  const { cookie, token } = scene.victim;
  const headers = { cookie, "x-console-token": token, origin: gateway.origin };
  const parked = parkBody(gateway.origin, { ...api("sign-out", {}), headers });
  await lookedAt(scene);
  await LOSSES.signedOut.take(scene);
  const { status, text } = await parked.finish();
  expect([status, JSON.parse(text)]).toEqual([200, { ok: {} }]);
});

test("an invalid body is answered with 400 even if the sender was signed out meanwhile", async () => {
  const scene = await openScene();
  const { cookie, token } = scene.victim;
  const parked = parkBody(gateway.origin, {
    path: "/console/play/api-v1-chat",
    body: { model: "sandbox-chat" },
    headers: { cookie, "x-console-token": token, origin: gateway.origin },
  });
  await lookedAt(scene);
  await LOSSES.signedOut.take(scene);
  const { status, text } = await parked.finish();
  expect([status, JSON.parse(text)]).toMatchObject([400, { error: { code: "validation_error" } }]);
});
