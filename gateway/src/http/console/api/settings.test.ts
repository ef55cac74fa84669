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

describe("settings", () => {
  test("show the plan's limits and current usage to admins, and are refused to members", async () => {
    expect(okOf(await admin.query("organization.get"))).toMatchObject({
      name: "Acme",
      slug: organization.slug,
      plan: "free",
      efficiency: "safe",
      active: true,
      limits: { requestsPerMinute: 60, inFlight: 5, videoJobs: 1, inFlightNow: 0, videoJobsNow: 0 },
    });
    expect((await member.query("organization.get")).status).toBe(403);
    expect((await member.command("organization.update", { name: "Mine" })).status).toBe(403);
  });

  test("changed by two admins: the second gets a conflict with the first change, and can overwrite it", async () => {
    const rival = await fixture.signIn((await fixture.addMember(organization.id, "admin")).email);
    okOf(await rival.command("organization.update", { name: "Theirs", seenName: "Acme" }));
    const late = await admin.command("organization.update", { name: "Mine", seenName: "Acme" });
    expect([late.status, late.problem?.code]).toEqual([409, "conflict"]);
    expect(late.problem?.message).toContain("“Theirs”");
    const insisted = okOf(await admin.command("organization.update", { name: "Mine", seenName: "Theirs" }));
    expect(insisted.name).toBe("Mine");
  });

  test("refuse fields that cannot be set here, and an empty name", async () => {
    for (const field of ["plan", "active", "slug", "disabledModels", "id"]) {
      const input = { name: "New", [field]: "enterprise" };
      const { status } = await admin.command("organization.update", input as never);
      expect([field, status]).toEqual([field, field === "plan" ? 403 : 400]);
    }
    const { problem } = await admin.command("organization.update", { name: " " });
    expect(problem).toMatchObject({ code: "invalid", field: "name" });
    expect((await fixture.identity.organizations.find(organization.id))?.name).toBe("Acme");
  });

  test("let an owner who types the slug deactivate the organization, without a way back in the console", async () => {
    const owner = await fixture.signIn((await fixture.addMember(organization.id, "owner")).email);
    expect((await admin.command("organization.deactivate", { confirm: organization.slug })).status).toBe(403);
    const mistyped = await owner.command("organization.deactivate", { confirm: "acme?" });
    expect(mistyped.problem).toMatchObject({ code: "invalid", field: "confirm" });
    okOf(await owner.command("organization.deactivate", { confirm: organization.slug }));
    expect(okOf(await owner.query("session")).organization?.isActive).toBe(false);
    expect((await owner.command("organization.update", { isActive: true } as never)).status).toBe(400);
    expect((await fixture.identity.organizations.find(organization.id))?.active).toBe(false);
  });
});
