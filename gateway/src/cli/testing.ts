import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspectConfig } from "../app/settings.ts";
import { loadCatalog } from "../catalog/index.ts";
import type { Config, InspectedConfig } from "../config/index.ts";
import { connectDatabase } from "../db/index.ts";
import { createTestDatabase, type TestDatabase } from "../db/testing.ts";
import { createIdentity } from "../identity/index.ts";
import { assert, systemClock } from "../kit/index.ts";
import { createLedger, type Ledger } from "../ledger/index.ts";
import { silentLog } from "../telemetry/index.ts";
import { createUsage } from "../usage/index.ts";
import type { CatalogInspection, CliHost } from "./cli-host.ts";
import type { OperatorServices } from "./operator-services.ts";
import { runCli } from "./run-cli.ts";
import type { ServeOptions } from "./serve-options.ts";

/** The command line on real services and its own database, without starting a process for each command. */
export type CliHarness = {
  readonly database: TestDatabase;
  readonly ledger: Ledger;
  readonly dataDir: string;
  /** Calls of `serve`, with their options. */
  readonly served: readonly ServeOptions[];
  /** Number of services that were opened and not closed. */
  readonly openServices: number;
  run(...argv: string[]): Promise<CliRun>;
  /** Runs with --json, expects exit code 0 and returns the object. */
  json(...argv: string[]): Promise<Record<string, unknown>>;
  /** Overrides parts of the host for one run. */
  runWith(host: Partial<CliHost>, ...argv: string[]): Promise<CliRun>;
  inspect(env: Record<string, string>): InspectedConfig;
  drop(): Promise<void>;
};

export type CliRun = { readonly code: number; readonly out: string; readonly err: string };

/** The one provider that these tests can reach. */
const REACHABLE = "openai";

export async function createCliHarness(): Promise<CliHarness> {
  const database = await createTestDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), "bursar-cli-test-"));
  const ledger = createLedger(database.db);
  const served: ServeOptions[] = [];
  let openCount = 0;

  const inspect = (env: Record<string, string>) =>
    inspectConfig({ BURSAR_DATA_DIR: dataDir, PORT: "0", DATABASE_URL: database.db.url, ...env }, dataDir);

  const host: Omit<CliHost, "terminal"> = {
    version: "1.2.3",
    inspectConfig: () => inspect({}),
    servedAddress: ({ publicUrl }) => publicUrl,
    inspectCatalog,
    tryProviders: async () => new Map(),
    previewBody: () => Promise.reject(new Error("no command here asks for it")),
    openDatabase: async () => connectDatabase({ url: database.db.url, poolSize: 2, log: silentLog }),
    async openServices() {
      const services = await openServices(database, ledger, inspect({}).config);
      openCount++;
      return {
        ...services,
        async close() {
          openCount--;
          await services.close();
        },
      };
    },
    async serve(options) {
      served.push(options);
      return 0;
    },
  };
  const runWith: CliHarness["runWith"] = (overrides, ...argv) => runWritten({ ...host, ...overrides }, argv);

  return {
    database,
    ledger,
    dataDir,
    served,
    get openServices() {
      return openCount;
    },
    run: (...argv) => runWith({}, ...argv),
    runWith,
    inspect,
    async json(...argv) {
      const { code, out, err } = await runWith({}, ...argv, "--json");
      assert(code === 0, `${argv.join(" ")}: exit ${code}: ${err}`);
      assert(out.indexOf("\n") === out.length - 1, "one object on one line");
      return JSON.parse(out);
    },
    async drop() {
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function runWritten(
  host: Omit<CliHost, "terminal"> & Partial<Pick<CliHost, "terminal">>,
  argv: readonly string[],
): Promise<CliRun> {
  let out = "";
  let err = "";
  const terminal = {
    colors: false,
    write: (text: string) => {
      out += text;
    },
    writeError: (text: string) => {
      err += text;
    },
  };
  const code = await runCli(argv, { terminal, ...host });
  return { code, out, err };
}

async function openServices(
  database: TestDatabase,
  ledger: Ledger,
  config: Config,
): Promise<OperatorServices> {
  const { db } = database;
  const { loaded } = inspectCatalog(config);
  assert(loaded.outcome === "ok", "the default catalog is right");
  const identity = await createIdentity({
    db,
    log: silentLog,
    keyPrefix: config.keyPrefix,
    clock: systemClock,
    watch: false,
  });
  const { catalog } = loaded;
  const typeOfModel = (id: string) => catalog.models.get(id)?.type;
  return {
    identity,
    db,
    ledger,
    catalog,
    usage: createUsage({ db, clock: systemClock, typeOfModel, lowBalance: config.notices }),
    clock: systemClock,
    log: silentLog,
    publicUrl: config.publicUrl,
    creditMicroUsd: config.creditMicroUsd,
    serving: null,
    close: () => identity.close(),
  };
}

/** As the composition root does it. */
function inspectCatalog(config: Config): CatalogInspection {
  const reachableProviders = new Set([...config.providers.keys()].filter((name) => name === REACHABLE));
  const loaded = loadCatalog({
    configuredProviders: config.sandbox ? reachableProviders.union(new Set(["sandbox"])) : reachableProviders,
    knownProviders: config.knownProviders,
    serves: () => true,
    dropsMessages: () => false,
    thinksBeyondLimit: () => false,
    aliasPrefix: config.aliasPrefix,
    overlay: config.catalogOverlay,
  });
  return { loaded, reachableProviders };
}
