import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { OrganizationRecord } from "../../../identity/index.ts";
import { type ConsoleFixture, createConsoleFixture, okOf, type TestBrowser } from "../testing.ts";

let fixture: ConsoleFixture;
let organization: OrganizationRecord;
let admin: TestBrowser;
let member: TestBrowser;

beforeAll(async () => {
  fixture = await createConsoleFixture();
});

afterAll(() => fixture.close());

beforeEach(async () => {
  organization = await fixture.createOrganization();
  admin = await fixture.signIn((await fixture.addMember(organization.id, "admin")).email);
  member = await fixture.signIn((await fixture.addMember(organization.id, "member")).email);
});

describe("models", () => {
  test("are listed with prices and limits as text, the aliases they serve and the options for a form", async () => {
    const rows = okOf(await member.query("model.list")).models;
    expect(rows.find(({ id }) => id === "acme-chat")).toEqual({
      id: "acme-chat",
      name: "Acme Chat",
      type: "text",
      provider: "acme",
      description: null,
      aliases: ["svc-fast"],
      capabilities: [],
      price: "100 credits per million tokens in, 400 out; at least 1 credit per answer",
      limits: ["Up to 128,000 tokens of context", "Answers of up to 8,192 tokens"],
      isOn: true,
      choices: { maxOutputTokens: 8192 },
    });
    expect(rows.every(({ price }) => price !== "")).toBe(true);
    expect(rows.find(({ id }) => id === "sandbox-video")?.choices).toMatchObject({
      resolutions: ["480p", "720p", "1080p"],
      durationSeconds: { min: 1, max: 12, values: null },
    });
  });

  test("that are switched off stay listed, serve no alias, and can be switched on again", async () => {
    const rowOf = async () =>
      okOf(await member.query("model.list")).models.find(({ id }) => id === "acme-chat");
    okOf(await admin.command("model.switch", { id: "acme-chat", isOn: false }));
    expect(await rowOf()).toMatchObject({ isOn: false, aliases: [] });
    okOf(await admin.command("model.switch", { id: "acme-chat", isOn: true }));
    expect(await rowOf()).toMatchObject({ isOn: true, aliases: ["svc-fast"] });
  });

  test("can be switched by admins but not by members; unknown ones are 404", async () => {
    expect((await member.command("model.switch", { id: "acme-chat", isOn: false })).status).toBe(403);
    for (const id of ["unknown", "", "x".repeat(10_000)]) {
      expect((await admin.command("model.switch", { id, isOn: false })).status).toBe(404);
    }
  });
});
