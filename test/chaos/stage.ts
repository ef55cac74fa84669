import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../bench/baselines.ts";
import { clusterPaths } from "../../gateway/src/db/embedded/cluster-paths.ts";
import { openEmbedded } from "../../gateway/src/db/embedded/embedded.ts";
import { DURABLE_SETTINGS } from "../../gateway/src/db/embedded/server-settings.ts";
import {
  createTestDatabase,
  prepareTemplate,
  superuserUrlOf,
  type TestDatabase,
} from "../../gateway/src/db/testing.ts";
import { silentLog } from "../../gateway/src/telemetry/index.ts";
import { type FaultProxy, startFaultProxy } from "../faults/fault-proxy.ts";
import { targetOf, through } from "../faults/faulty-database.ts";
import { startNode } from "../faults/node-process.ts";
import { type FakeStripe, startFakeStripe } from "../stripe/fake-stripe.ts";
import { CANARIES, runSettings } from "./run-models.ts";
import { type SupervisedNode, superviseNode } from "./supervised-node.ts";
import type { UpstreamOrders, UpstreamReport } from "./upstream-process.ts";

type Pair<T> = readonly [T, T];

/**
 * Everything that a random run needs: two gateways, PostgreSQL, the upstream, and a fault proxy on every link between
 * them.
 */
export type Stage = {
  readonly folder: string;
  readonly database: TestDatabase;
  readonly cluster: string;
  readonly nodes: Pair<SupervisedNode>;
  /**
   * `straight`: the nodes' own addresses. `origins`: the addresses that clients use, which lead through the proxies.
   */
  readonly straight: Pair<string>;
  readonly origins: Pair<string>;
  readonly links: {
    readonly client: Pair<FaultProxy>;
    readonly database: Pair<FaultProxy>;
    readonly upstream: FaultProxy;
  };
  readonly clocks: Pair<string>;
  readonly stripe: FakeStripe;
  /** The nodes' environment, except that it connects directly to the database. */
  readonly environment: Record<string, string>;
  readonly logs: { readonly clients: string; readonly upstream: string; readonly ledger: string };
  /** Ends everything; the folder is kept for inspection if asked. */
  close(keepsFolder: boolean): Promise<void>;
};

const MAX_CONNECTIONS = 200;
/** An interrupted run leaves nothing behind. */
const STOP_SIGNALS = ["SIGINT", "SIGTERM"] as const;
const CLOCK_JUMP = join(import.meta.dir, "clock-jump.ts");
/** Appends the node's log to a file, and loads the clock's preload before everything else. */
const WRAPPER = 'log=$1; bun=$2; shift 2; exec "$bun" --preload "$BURSAR_TEST_PRELOAD" "$@" 2>>"$log"';

export async function setStage(): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), "bursar-faults-run-"));
  const dataDir = join(folder, "database");
  mkdirSync(dataDir);
  const server = await openEmbedded({
    dataDir,
    log: silentLog,
    settings: { ...DURABLE_SETTINGS, max_connections: MAX_CONNECTIONS },
  });
  const serverUrl = superuserUrlOf(server.url);
  await prepareTemplate(serverUrl);
  const database = await createTestDatabase({ serverUrl });
  const logs = {
    clients: join(folder, "clients.log"),
    upstream: join(folder, "upstream.log"),
    ledger: join(folder, "ledger.log"),
  };
  const upstream = await startUpstream({ logPath: logs.upstream });
  const stripe = startFakeStripe({ now: () => Math.floor(Date.now() / 1000) });
  const upstreamLink = await startFaultProxy({ host: "127.0.0.1", port: upstream.port });
  const environment = environmentOf(folder, { upstreamLink, brokenUrl: upstream.brokenUrl, stripe });
  const sides = await Promise.all([0, 1].map((at) => setNode({ at, folder, database, environment })));
  const [first, second] = sides as [NodeSide, NodeSide];
  const pair = <T>(of: (side: NodeSide) => T): Pair<T> => [of(first), of(second)];
  const stage: Stage = {
    folder,
    database,
    cluster: clusterPaths(dataDir).cluster,
    nodes: pair((side) => side.node),
    straight: pair((side) => side.straight),
    origins: pair((side) => `http://127.0.0.1:${side.clientLink.port}`),
    links: {
      client: pair((side) => side.clientLink),
      database: pair((side) => side.databaseLink),
      upstream: upstreamLink,
    },
    clocks: pair((side) => side.clock),
    stripe,
    environment: { ...environment, DATABASE_URL: database.db.url, BURSAR_DATA_DIR: join(folder, "operator") },
    logs,
    async close(keepsFolder) {
      for (const signal of STOP_SIGNALS) process.off(signal, interrupt);
      await Promise.all(sides.map((side) => side.close()));
      await upstreamLink.close();
      upstream.process.kill("SIGKILL");
      stripe.stop();
      await database.db.close();
      await server.leave();
      if (!keepsFolder) rmSync(folder, { recursive: true, force: true });
    },
  };
  const interrupt = () => void stage.close(false).finally(() => process.exit(1));
  for (const signal of STOP_SIGNALS) process.on(signal, interrupt);
  return stage;
}

type NodeSide = {
  readonly node: SupervisedNode;
  readonly straight: string;
  readonly clock: string;
  readonly clientLink: FaultProxy;
  readonly databaseLink: FaultProxy;
  close(): Promise<void>;
};

async function setNode(input: {
  at: number;
  folder: string;
  database: TestDatabase;
  environment: Record<string, string>;
}): Promise<NodeSide> {
  const { at, folder, database } = input;
  const port = freePort();
  const databaseLink = await startFaultProxy(targetOf(database.db.url));
  const clientLink = await startFaultProxy({ host: "127.0.0.1", port });
  const clock = join(folder, `clock-${at}`);
  writeFileSync(clock, "0");
  const environment = {
    ...input.environment,
    PORT: String(port),
    BURSAR_TEST_CLOCK: clock,
    BURSAR_TEST_PRELOAD: CLOCK_JUMP,
  };
  const url = through(database.db.url, databaseLink.port);
  const wrapper = ["sh", "-c", WRAPPER, "sh", join(folder, `node-${at}.log`)];
  const node = superviseNode(() => startNode(url, environment, wrapper));
  await untilUp(node, join(folder, `node-${at}.log`));
  return {
    ...{ node, clock, clientLink, databaseLink, straight: `http://127.0.0.1:${port}` },
    async close() {
      await node.close();
      await clientLink.close();
      await databaseLink.close();
    },
  };
}

/** A node that cannot start before anything has gone wrong never will. */
async function untilUp(node: SupervisedNode, logPath: string): Promise<void> {
  const up = node.whenUp();
  while (node.process === null) {
    if (node.counts.failedStarts > 1) throw new Error(`a node does not start, see ${logPath}`);
    await Promise.race([up, Bun.sleep(50)]);
  }
}

function environmentOf(
  folder: string,
  run: { readonly upstreamLink: FaultProxy; readonly brokenUrl: string; readonly stripe: FakeStripe },
): Record<string, string> {
  const host = `127.0.0.1:${run.upstreamLink.port}`;
  const { secretKey, webhookSecret, apiUrl } = run.stripe.settings;
  const config = join(folder, "bursar.yaml");
  writeFileSync(config, JSON.stringify(runSettings({ url: `http://${host}`, brokenUrl: run.brokenUrl })));
  return {
    BURSAR_CONFIG: config,
    BURSAR_OBJECTS_DIR: join(folder, "objects"),
    BURSAR_SECRET: CANARIES.secret,
    BURSAR_METRICS_TOKEN: CANARIES.metricsToken,
    BURSAR_PRIVATE_MEDIA_HOSTS: host,
    BURSAR_LOG_LEVEL: "info",
    BURSAR_DEMO: "false",
    BURSAR_SANDBOX: "false",
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_URL: apiUrl,
  };
}

async function startUpstream(
  orders: UpstreamOrders,
): Promise<UpstreamReport & { readonly process: Bun.Subprocess }> {
  const report = Promise.withResolvers<UpstreamReport>();
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, "upstream-process.ts"), JSON.stringify(orders)],
    { stdio: ["ignore", "inherit", "inherit"], ipc: (message) => report.resolve(message as UpstreamReport) },
  );
  return { ...(await report.promise), process: child };
}
