import { type Admitter, createAdmitter, createReadLimiter, type ReadLimiter } from "../admission/index.ts";
import { createLibrary, type Library, openObjectStore } from "../assets/index.ts";
import { type Billing, createBilling } from "../billing/index.ts";
import { type Catalog, type LoadedCatalog, loadCatalog } from "../catalog/index.ts";
import type { CatalogInspection } from "../cli/index.ts";
import { type Config, ConfigError, ensureSecret } from "../config/index.ts";
import type { Registry } from "../contract/index.ts";
import { type Database, migrate, openDatabase } from "../db/index.ts";
import {
  createGeneration,
  createRunningCalls,
  type Generation,
  type RunningCalls,
} from "../generation/index.ts";
import { createIdentity, type Identity } from "../identity/index.ts";
import { auditTask, maintenanceTasks, payerTasks, startOutboxWorker, startSchedule } from "../jobs/index.ts";
import { type Clock, sign, systemClock } from "../kit/index.ts";
import { createLedger, type LeaseKeeper, type Ledger, lookAtTime } from "../ledger/index.ts";
import type { OperationServices } from "../operations/index.ts";
import { type Breaker, createBreaker, createPublicFetch, type PublicFetch } from "../outbound/index.ts";
import type { Outbox } from "../outbox/index.ts";
import { createProviders, createRegistry } from "../providers/index.ts";
import {
  createLog,
  createMetrics,
  createTracer,
  type Log,
  type Metrics,
  type Tracer,
} from "../telemetry/index.ts";
import { createRefusalCounts, createUsage, type RefusalCounts, type Usage } from "../usage/index.ts";
import { VERSION } from "../version.ts";
import { openPayments, type PaymentServices } from "./payment-services.ts";
import { openLearned, prepareFirstCall } from "./serving/before-first-call.ts";
import { type ClosingParts, closeTogether } from "./serving/close-together.ts";
import { openPaidPath } from "./serving/connections.ts";
import { reportFailedBatches } from "./serving/failed-batches.ts";
import { joinNodes } from "./serving/node-differences.ts";
import { registerFileGauges } from "./serving/open-files.ts";
import { prepareSecret, warnOfLostSecret } from "./serving/prepare-secret.ts";
import { registerTargetGauges, reportTargetFailures } from "./serving/target-failures.ts";
import { openVideo, type VideoServices } from "./video-services.ts";

/**
 * The composition root: the only place that knows how the parts are put together.
 * `openServices` is enough to administer; `startServing` adds what paid calls need.
 */
export type Services = {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly db: Database;
  readonly catalog: Catalog;
  readonly registry: Registry;
  readonly identity: Identity;
  readonly ledger: Ledger;
  readonly billing: Billing;
  readonly usage: Usage;
  readonly refusals: RefusalCounts;
  /** Closes `others` together with its own parts, before the database. */
  close(others?: ClosingParts): Promise<void>;
};

export type ServingServices = Services &
  VideoServices &
  PaymentServices & {
    readonly secret: string;
    readonly library: Library;
    readonly tracer: Tracer;
    readonly lease: LeaseKeeper;
    readonly admitter: Admitter;
    readonly reads: ReadLimiter;
    readonly running: RunningCalls;
    readonly generation: Generation;
  };

type OpenOptions = {
  /** The configured log by default; commands pass a silent one. */
  readonly log?: Log;
  /** Creates a missing secret and missing tables; for processes that will serve. Commands take both as they are. */
  readonly prepares?: boolean;
  /** Keeps keys and members in memory and follows their changes; for processes that serve. */
  readonly watch?: boolean;
  /** Serving processes wait for the database until this resolves; commands report at once that it is away. */
  readonly awaitDatabaseUntil?: Promise<unknown> | undefined;
};

export async function openServices(config: Config, options: OpenOptions = {}): Promise<Services> {
  const clock = systemClock;
  const log = options.log ?? createLog({ level: config.logLevel, keyPrefix: config.keyPrefix });
  const registry = openRegistry(config);
  const catalog = openCatalog(config, registry);
  const isSecretMade = options.prepares === true && prepareSecret(config);
  const db = await openDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    poolSize: config.databasePoolSize,
    log,
    awaitUntil: options.awaitDatabaseUntil,
  });
  try {
    if (options.prepares === true) await migrate(db, log);
    if (options.prepares === true) await lookAtTime(db);
    if (isSecretMade) await warnOfLostSecret({ config, db, log });
    const identity = await createIdentity({
      db,
      log,
      clock,
      keyPrefix: config.keyPrefix,
      watch: options.watch === true,
    });
    const metrics = createMetrics();
    const closing = new AbortController();
    const onFailedBatch = reportFailedBatches("settlements", { log, metrics });
    const ledger = createLedger(db, { onFailedBatch });
    const onFailed = (error: unknown) => log.warn("refusals_not_saved", { error: String(error) });
    const refusals = createRefusalCounts({ db, onFailed });
    return {
      config,
      clock,
      log,
      metrics,
      db,
      catalog,
      registry,
      identity,
      ledger,
      billing: createBilling({ db, ledger, plans: catalog.plans, log, closing: closing.signal }),
      usage: createUsage({
        db,
        clock,
        typeOfModel: (id) => catalog.models.get(id)?.type,
        lowBalance: config.notices,
      }),
      refusals,
      async close(others) {
        closing.abort();
        const own = { identity: () => identity.close() };
        await closeTogether(log, { ...own, refusals: () => refusals.close(), ...others });
        await db.close();
      },
    };
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** What operations work with; `serving` is null at the command line. */
export function operationServices(
  services: Services,
  at: Pick<OperationServices, "publicUrl" | "serving">,
): Services & OperationServices {
  return { ...services, creditMicroUsd: services.config.creditMicroUsd, ...at };
}

function openRegistry(config: Config): Registry {
  const fetchPublic = openPublicFetch(config);
  const { timeouts, outboundWay, providers, sandbox } = config;
  const settings = sandbox === null ? providers : new Map([...providers, [sandbox.name, sandbox]]);
  return createRegistry(createProviders(settings, { timeouts, outboundWay, fetchPublic }));
}

/** The guarded fetch for every URL that a client or a provider names. */
function openPublicFetch(config: Config): PublicFetch {
  return createPublicFetch({
    privateHosts: config.privateMediaHosts,
    ownHosts: [new URL(config.publicUrl).hostname],
  });
}

function loadCatalogFor(config: Config, registry: Registry): LoadedCatalog {
  return loadCatalog({
    configuredProviders: registry.names,
    serves: registry.serves,
    dropsMessages: registry.dropsMessages,
    thinksBeyondLimit: registry.thinksBeyondLimit,
    knownProviders: config.knownProviders,
    aliasPrefix: config.aliasPrefix,
    overlay: config.catalogOverlay,
  });
}

function openCatalog(config: Config, registry: Registry): Catalog {
  const loaded = loadCatalogFor(config, registry);
  if (loaded.outcome === "refused") throw new ConfigError(loaded.problems);
  return loaded.catalog;
}

/** Loads the catalog for these settings, without opening anything. */
export function inspectCatalog(config: Config): CatalogInspection {
  const registry = openRegistry(config);
  return { loaded: loadCatalogFor(config, registry), reachableProviders: registry.names };
}

/** Creates the secret if there is none: it signs the cursors of the library's lists. */
export function openLibrary({ config, db, log }: Services): { secret: string; library: Library } {
  const secret = ensureSecret(config);
  const objects = openObjectStore(config.objects);
  const databaseWaitMs = config.timeouts.settleMs;
  return { secret, library: createLibrary({ db, objects, secret, log, databaseWaitMs }) };
}

/** An unknown name may be a typo in the name of a setting. */
export function warnOfUnknownSettings({ config, log }: Services): void {
  for (const name of config.unknownNames) log.warn("unknown_setting", { name });
}

type ServingOptions = Pick<OpenOptions, "log" | "awaitDatabaseUntil"> & {
  /** Audits may take long, so nodes that only serve leave them to others. */
  readonly runsAudits: boolean;
  /** False on a node that leaves video jobs to others. */
  readonly runsVideoJobs: boolean;
};

/** Adds what a serving process needs beyond administration: a lease, admission, generation and the schedule. */
export async function startServing(config: Config, options: ServingOptions): Promise<ServingServices> {
  const { log, awaitDatabaseUntil } = options;
  const base = await openServices(config, { log, awaitDatabaseUntil, prepares: true, watch: true });
  try {
    return await startServingOn(base, options);
  } catch (error) {
    // Otherwise the embedded database would keep running with nobody using it.
    await base.close();
    throw error;
  }
}

async function startServingOn(base: Services, options: ServingOptions): Promise<ServingServices> {
  const { config, db, log, metrics, clock, ledger, registry } = base;
  const { secret, library } = openLibrary(base);
  // Before the pool grows, so that the paid path gets its connections first if the server has few left.
  await openPaidPath(base);
  const rules = [...base.catalog.models.values()].map((model) => ({ ...model.priceRule, model: model.id }));
  await ledger.recordPriceRules(rules);
  await prepareFirstCall(base);
  const tracer = await createTracer({ env: config.otel, version: VERSION, log, metrics });
  const running = createRunningCalls();
  const { lease, nodes } = await joinNodes(base, secret, () => running.stopAll("lease_lost"));
  const onFailedBatch = reportFailedBatches("admissions", base);
  const admitter = createAdmitter({ db, lease, onFailedBatch });
  const paying = openPayments({ ...base, secret });
  const { outbox, payments } = paying;
  const breaker = openBreaker(base, outbox);
  const { corrections, marks } = await openLearned({ db, clock, log });
  registerLoadGauges(metrics, { running, admitter, db });
  const schedule = startSchedule({
    db,
    log,
    metrics,
    tasks: [
      ...maintenanceTasks({ ...base, lease, corrections, marks, library, nodes, outbox }),
      ...payerTasks({ db, payments, thresholds: config.notices }),
      ...(options.runsAudits ? [auditTask({ db, log, metrics, outbox })] : []),
    ],
  });
  const outboxWorker = startOutboxWorker({ outbox, log });
  const { runsVideoJobs } = options;
  const { drainMs } = config.timeouts;
  const video = openVideo({ db, lease, library, registry, breaker, log, metrics, runsVideoJobs, drainMs });
  return {
    ...base,
    ...video,
    ...paying,
    secret,
    library,
    tracer,
    lease,
    admitter,
    reads: createReadLimiter(clock),
    running,
    generation: createGeneration({
      admitter,
      ledger,
      registry,
      breaker,
      running,
      metrics,
      log,
      clock,
      corrections,
      marks,
      library,
      fetchPublic: openPublicFetch(config),
      callTimeoutMs: config.timeouts.callMs,
      firstByteMs: config.timeouts.firstByteMs,
      settleTimeoutMs: config.timeouts.settleMs,
      sealed: (orgId, identity) => sign(secret, "identity at a provider", `${orgId}\n${identity}`),
    }),
    async close() {
      await closeTogether(log, {
        videoWorker: () => video.videoWorker?.stop(),
        schedule: () => schedule.stop(),
        outboxWorker: () => outboxWorker.stop(),
        mail: () => paying.mail?.close(),
        tracer: () => tracer.close(),
      });
      await base.close({ lease: () => lease.leave() });
    },
  };
}

function openBreaker(base: Services, outbox: Outbox): Breaker {
  const breaker: Breaker = createBreaker({
    clock: base.clock,
    isTest: isTestAmong(base.catalog),
    onFailed: reportTargetFailures({
      ...base,
      isDown: (target) => breaker.state(target) === "open",
      onDown: (target) => void outbox.note("provider.down", { target }),
    }),
  });
  registerTargetGauges(base.metrics, base.catalog, breaker);
  return breaker;
}

/** Whether a target serves models that are only for tests. */
function isTestAmong(catalog: Catalog): (target: string) => boolean {
  const tests = new Set(
    [...catalog.models.values()].flatMap(({ isTest, targets }) =>
      targets.flatMap(({ provider, model }) => (isTest ? `${provider}/${model}` : [])),
    ),
  );
  return (target) => tests.has(target);
}

function registerLoadGauges(
  metrics: Metrics,
  of: { readonly running: RunningCalls; readonly admitter: Admitter; readonly db: Database },
): void {
  metrics.gauge("bursar_processes", "Processes included in these figures.").set(1);
  metrics.gauge("bursar_calls_running", "Paid calls running now.").read(() => of.running.count);
  metrics.gauge("bursar_admissions_waiting", "Calls waiting for admission.").read(() => of.admitter.waiting);
  metrics
    .gauge(
      "bursar_database_clock_doubted",
      "1 while the database's clock is not believed, and no credits expire.",
    )
    .read(() => (of.db.time.isDoubted ? 1 : 0));
  registerFileGauges(metrics);
}
