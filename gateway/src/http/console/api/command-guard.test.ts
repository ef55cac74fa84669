import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Commands } from "../contract.ts";
import { type ConsoleFixture, createConsoleFixture, type TestBrowser } from "../testing.ts";

/** One valid input for each command. The compiler requires one when a command is added. */
const INPUTS: { readonly [Name in keyof Commands]: Commands[Name]["input"] } = {
  "sign-in": { email: "a@example.com", password: "a password of somebody" },
  "sign-up": { name: "A", email: "a@example.com", password: "a password of somebody", organization: "A" },
  "confirm-sign-up": { token: "x" },
  "sign-out": {},
  "sign-out-everywhere": {},
  "end-session": { id: "x" },
  "redeem-link": { token: "x" },
  "request-link": { email: "a@example.com" },
  "choose-password": { password: "a password of somebody" },
  "change-password": { current: "x", password: "a password of somebody" },
  rename: { name: "Other" },
  "accept-invitation": { token: "x", name: "A", password: "a password of somebody" },
  "choose-organization": { id: "x" },
  "organization.create": { name: "A" },
  "member.add": { email: "b@example.com", role: "member" },
  "member.link": { email: "b@example.com" },
  "credits.grant": { pool: "anytime", amount: 1 },
  "credits.adjust": { pool: "anytime", amount: 1, reason: "x" },
  "credits.undo-expiry": { yes: true },
  "management-key.create": { name: "Key", scopes: ["all"] },
  "management-key.revoke": { id: "x" },
  "installation:management-key.create": { name: "Key", scopes: ["all"] },
  "installation:management-key.revoke": { id: "x" },
  "webhook.create": { address: "https://hooks.example/" },
  "webhook.update": { id: "x", paused: true },
  "webhook.rotate-secret": { id: "x" },
  "webhook.remove": { id: "x" },
  "webhook.test": { id: "x" },
  "delivery.replay": { id: "x", event: "x" },
  "installation:webhook.create": { address: "https://hooks.example/" },
  "installation:webhook.update": { id: "x", paused: true },
  "installation:webhook.rotate-secret": { id: "x" },
  "installation:webhook.remove": { id: "x" },
  "installation:webhook.test": { id: "x" },
  "installation:delivery.replay": { id: "x", event: "x" },
  "operator.add": { email: "b@example.com" },
  "operator.remove": { email: "b@example.com" },
  "key.create": { name: "Key", scopes: ["chat"] },
  "key.rotate": { id: "x", grace: "0h" },
  "key.revoke": { id: "x" },
  "invitation.create": { email: "b@example.com", role: "member" },
  "invitation.cancel": { id: "x" },
  "member.set-role": { id: "x", role: "member", seenRole: "member" },
  "member.remove": { id: "x" },
  "model.switch": { id: "x", isOn: false },
  "asset.delete": { id: "x" },
  "billing.buy": { packs: ["small"] },
  "billing.change-plan": { plan: "pro" },
  "order.pay-test": { id: "x" },
  "billing.portal": {},
  "organization.update": { name: "Other" },
  "organization.deactivate": { confirm: "x" },
};
const NAMES = Object.keys(INPUTS) as (keyof Commands)[];

let fixture: ConsoleFixture;
let owner: TestBrowser;
let other: TestBrowser;
let registered: readonly (keyof Commands)[];

beforeAll(async () => {
  fixture = await createConsoleFixture();
  const { id } = await fixture.createOrganization();
  const operator = async () => {
    const { email } = await fixture.addMember(id, "owner");
    await fixture.identity.operators.add(email);
    return fixture.signIn(email);
  };
  owner = await operator();
  other = await operator();
  // The first page stores something in the session; do that before the tests compare rows.
  await other.token();
  const token = await owner.token();
  const answers = await Promise.all(
    NAMES.map((name) => owner.command(name, { unknown: 1 } as never, { "x-console-token": token })),
  );
  registered = NAMES.filter((_, at) => answers[at]?.problem?.message !== "There is no such address.");
});

afterAll(() => fixture.close());

async function changes(): Promise<string> {
  const tables = ["organization", "member", "invitation", "api_keys", "session", '"user"', "account"];
  const rows = await Promise.all(
    tables.map((table) => fixture.db.pool.query(`select t::text as line from ${table} t order by 1`)),
  );
  return JSON.stringify(rows.map((one) => one.rows));
}

/** The valid token is sent unless a case replaces it: each of these alone must be enough to refuse. */
const FORGERIES: readonly [string, (token: string) => Promise<Record<string, string | null>>][] = [
  ["from a foreign origin", async (token) => ({ origin: "https://evil.example", "x-console-token": token })],
  [
    "from a similar origin",
    async (token) => ({ origin: "http://127.0.0.1:8787.evil.example", "x-console-token": token }),
  ],
  ["from an opaque origin", async (token) => ({ origin: "null", "x-console-token": token })],
  ["without an origin", async (token) => ({ origin: null, "x-console-token": token })],
  [
    "marked as cross-site by the browser",
    async (token) => ({ "sec-fetch-site": "cross-site", "x-console-token": token }),
  ],
  [
    "marked as same-site by the browser",
    async (token) => ({ "sec-fetch-site": "same-site", "x-console-token": token }),
  ],
  ["without a token", async () => ({ "x-console-token": null })],
  [
    "with an altered token",
    async (token) => ({
      "x-console-token": `A${token.slice(1)}` === token ? `B${token.slice(1)}` : `A${token.slice(1)}`,
    }),
  ],
  ["with the token of another session", async () => ({ "x-console-token": await other.token() })],
  ["with the token of a visitor", async () => ({ "x-console-token": await fixture.openBrowser().token() })],
];

describe("a command", () => {
  test.each(FORGERIES)("%s is 403 and changes nothing, for every command", async (_, forge) => {
    expect(registered.length).toBeGreaterThan(15);
    const token = await owner.token();
    const before = await changes();
    for (const name of registered) {
      const { status, problem } = await owner.command(name, INPUTS[name], await forge(token));
      expect([name, status, problem?.code]).toEqual([name, 403, "forbidden"]);
    }
    expect(await changes()).toBe(before);
  });

  test("without cookies is signed_out with the token of a session, and stale with the token of a visitor", async () => {
    const codeWith = async (token: string) => {
      const headers = { "x-console-token": token };
      return (await fixture.openBrowser().command("sign-in", INPUTS["sign-in"], headers)).problem?.code;
    };
    expect(await codeWith(await owner.token())).toBe("signed_out");
    // At the sign-in form, a message about an ended session would mean nothing to the visitor.
    expect(await codeWith(await fixture.openBrowser().token())).toBe("stale");
  });

  test("is 404 as GET and 415 as a form, and changes nothing", async () => {
    const before = await changes();
    for (const name of registered) {
      const input = encodeURIComponent(JSON.stringify(INPUTS[name]));
      const got = await owner.send(`/console/api/${name}?input=${input}`, { method: "GET" });
      expect([name, got.status]).toEqual([name, 404]);
      for (const type of ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data"]) {
        const { status } = await owner.command(name, INPUTS[name], {
          "content-type": type,
          "x-console-token": await owner.token(),
        });
        expect([name, type, status]).toEqual([name, type, 415]);
      }
    }
    expect(await changes()).toBe(before);
  });

  test("with an unknown field is refused and changes nothing", async () => {
    const before = await changes();
    for (const name of registered) {
      for (const field of ["organizationId", "emailVerified", "isAdmin", "credits"]) {
        const input = { ...INPUTS[name], [field]: "owner" } as never;
        const { status, problem } = await other.command(name, input);
        expect([name, field, status, problem?.code]).toEqual([name, field, 400, "invalid"]);
      }
    }
    expect(await changes()).toBe(before);
  });
});
