import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase, type TestDatabase } from "../../db/testing.ts";
import { verifyLedger } from "../../ledger/index.ts";
import { silentLog } from "../../telemetry/index.ts";
import { openServices, type Services } from "../services.ts";
import { loadConfig } from "../settings.ts";
import { makeDemo, prepareFirstStart } from "./first-start.ts";

let database: TestDatabase;
let dataDir: string;
let opened: Services[];

beforeEach(async () => {
  database = await createTestDatabase();
  dataDir = mkdtempSync(join(tmpdir(), "bursar-test-"));
  opened = [];
});

afterEach(async () => {
  await Promise.all(opened.map((services) => services.close()));
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Starts a process on this database. */
async function start(environment: Record<string, string> = {}): Promise<Services> {
  const own = { DATABASE_URL: database.db.url, BURSAR_DATA_DIR: dataDir };
  const config = loadConfig({ ...own, ...environment }, dataDir);
  const services = await openServices(config, { log: silentLog, prepares: true });
  opened.push(services);
  return services;
}

async function demoBalance({ identity, ledger }: Services): Promise<number[]> {
  const organization = await identity.organizations.find("demo");
  const account = await ledger.account(organization?.id ?? "");
  return [account.subscriptionAvailable, account.anytimeAvailable];
}

describe("the first start", () => {
  test("without a demo reports an empty database; with one it reports the demo once", async () => {
    const services = await start();
    const silent = { ...services, config: { ...services.config, demo: false } };
    expect(await prepareFirstStart(silent)).toEqual({ demo: null, isEmpty: true, hasDemo: false });
    expect(await prepareFirstStart(services)).toMatchObject({
      demo: {
        totalCredits: 150_000,
        fast: { alias: "svc-fast", model: "sandbox-chat", provider: "sandbox" },
      },
      isEmpty: false,
      hasDemo: true,
    });
    expect(await prepareFirstStart(services)).toEqual({ demo: null, isEmpty: false, hasDemo: true });
  });

  test("shows a text model by its own id if the demo alias has no visible model", async () => {
    const model = {
      name: "Ours",
      type: "text",
      targets: [{ provider: "sandbox", model: "sandbox-chat" }],
      test: true,
      credits_per_request: 1,
      limits: { context_tokens: 1_000, max_output_tokens: 100 },
    };
    const hidden = { ...model, id: "sandbox-chat", visibility: {} };
    const file = join(dataDir, "own.yaml");
    writeFileSync(file, JSON.stringify({ models: [hidden, { ...model, id: "ours" }] }));
    const { demo } = await prepareFirstStart(await start({ BURSAR_CONFIG: file }));
    expect(demo?.fast).toEqual({ alias: "ours", model: "ours", provider: "sandbox" });
  });

  test("with an existing organization reports no demo", async () => {
    const services = await start();
    await services.identity.organizations.create({ name: "Acme", slug: "acme", plan: "pro" });
    expect(await prepareFirstStart(services)).toEqual({ demo: null, isEmpty: false, hasDemo: false });
  });

  test("creates a demo with an owner, credits, a key and a link; the second start creates nothing", async () => {
    const services = await start();
    const demo = await makeDemo(services);
    expect(demo).toMatchObject({ totalCredits: 150_000, secret: expect.stringMatching(/^svc_live_\w{43}$/) });
    expect(demo?.link?.token).toMatch(/^\S{43}$/);
    expect(await makeDemo(services)).toBeNull();
    expect(await demoBalance(services)).toEqual([50_000, 100_000]);
  });

  test("creates no demo if an organization exists", async () => {
    const services = await start();
    await services.identity.organizations.create({ name: "Acme", slug: "acme", plan: "free" });
    expect(await makeDemo(services)).toBeNull();
    expect(await services.identity.organizations.find("demo")).toBeUndefined();
  });

  test("that was killed half-way is completed by the next one, and nothing is granted twice", async () => {
    const services = await start();
    const created = await services.identity.organizations.create({ name: "Demo", slug: "demo", plan: "pro" });
    if (created.outcome === "ok") await services.billing.startPlan(created.organization.id);
    expect(await makeDemo(services)).toMatchObject({ totalCredits: 150_000 });
  });

  test("of several processes together grants once, and one of them shows a key", async () => {
    const processes = await Promise.all(Array.from({ length: 4 }, start));
    const demos = await Promise.all(processes.map((services) => makeDemo(services)));
    expect(demos.filter((demo) => demo !== null)).toHaveLength(1);
    const [services] = processes;
    if (services) expect(await demoBalance(services)).toEqual([50_000, 100_000]);
    expect((await verifyLedger(database.db)).faults).toEqual([]);
  });

  test("that begins while another creates the demo results in one demo", async () => {
    const [one, two] = [await start(), await start()];
    const first = makeDemo(one);
    while (!(await two.identity.organizations.find("demo"))) await Bun.sleep(1);
    const demos = await Promise.all([makeDemo(two), first]);
    expect(demos.filter((demo) => demo !== null)).toHaveLength(1);
  });
});
