import { DEFAULT_PLAN } from "../catalog/index.ts";
import { isOutOfConnections, ReadOnlyDatabaseError } from "../db/index.ts";
import {
  createCallSeal,
  createConsole,
  createInvitationBrake,
  createManagement,
  createReasoningSeal,
  DATABASE_AWAY,
  type HttpDeps,
  type Mount,
  type Readiness,
  stripeWebhook,
} from "../http/index.ts";
import { createSignedPlaces } from "../kit/index.ts";
import { proveLease } from "../ledger/index.ts";
import type { OperationServices } from "../operations/index.ts";
import { VERSION } from "../version.ts";
import { operationServices, type ServingServices } from "./services.ts";
import { folderOnFullDisk } from "./serving/full-disk.ts";

const READINESS_TIMEOUT_MS = 2_000;
/** A body must arrive within this time; large bodies of known length must keep a minimum pace instead. */
const BODY_TIMEOUT_MS = 60_000;
/** Requests that one process handles at once; any more get a 503. */
const MAX_RUNNING_CALLS = 20_000;

/** What depends on how the process was started: alone or beside others, to serve or for background work only. */
export type ProcessDeps = Pick<HttpDeps, "siblingMetrics" | "isHealthAlone" | "isPrepared">;

/** Selects what the HTTP edge may use of the services. */
export function httpDeps(
  services: ServingServices,
  publicUrl: string,
  ofProcess: ProcessDeps = {},
): HttpDeps {
  const { config } = services;
  return {
    settings: {
      publicUrl,
      keyPrefix: config.keyPrefix,
      aliasPrefix: config.aliasPrefix,
      trustedProxies: config.trustedProxies,
      metricsToken: config.metricsToken,
      isProduction: config.environment === "production",
      ...config.limits,
      privateMediaHosts: config.privateMediaHosts,
      bodyTimeoutMs: BODY_TIMEOUT_MS,
      keepAliveMs: config.timeouts.keepAliveMs,
      stallMs: config.timeouts.readerStallMs,
      maxRunningCalls: MAX_RUNNING_CALLS,
    },
    identity: services.identity,
    catalog: services.catalog,
    usage: services.usage,
    usageCursors: createSignedPlaces(services.secret, "usage_cursor"),
    countRefusal: services.refusals.count,
    library: services.library,
    readLimiter: services.reads,
    generation: services.generation,
    video: services.video,
    callSeal: createCallSeal(services.secret),
    reasoningSeal: createReasoningSeal(services.secret),
    mounts: ofProcess.isHealthAlone ? [] : mountsOf(services, publicUrl),
    readiness: () => readiness(services),
    proveLease: (challenge) => proveLease(services.lease.current.processId, challenge),
    log: services.log,
    metrics: services.metrics,
    tracer: services.tracer,
    ...ofProcess,
  };
}

function mountsOf(services: ServingServices, publicUrl: string): readonly Mount[] {
  const { payments, library, mail, outbox, clock, catalog, identity } = services;
  const brakeInvitation = createInvitationBrake(clock);
  const serving = { payments, library, webhooks: outbox.endpoints, mail, brakeInvitation };
  const operations = operationServices(services, { publicUrl, serving });
  const console: Mount = { path: "/console", ...openConsole(services, operations) };
  const management = createManagement({
    operations,
    identity,
    catalog,
    readLimiter: services.reads,
    publicUrl,
  });
  const mounts = [console, management];
  return payments.mode === "stripe" ? [...mounts, stripeWebhook(services)] : mounts;
}

/** Cookies and origin checks depend on the public URL, so the console is created once that is known. */
function openConsole(services: ServingServices, operations: OperationServices) {
  const { identity, usage, catalog, billing, payments, mail, db, clock, log, secret, config } = services;
  const { publicUrl } = operations;
  return createConsole({
    identity,
    usage,
    catalog,
    billing,
    operations,
    mail,
    db,
    clock,
    log,
    config: {
      publicUrl,
      secret,
      signUpPlan: DEFAULT_PLAN,
      service: {
        publicUrl,
        version: VERSION,
        signUpIsOpen: config.signUp === "open",
        sendsMail: mail !== null,
        payments: payments.mode,
        aliasPrefix: config.aliasPrefix,
        command: config.consoleCommandName,
      },
    },
  });
}

const NO_CONNECTION_LEFT: Readiness = {
  ready: false,
  reason:
    "The database has no connection left for this process: see its max_connections, the role's limit and BURSAR_DATABASE_POOL.",
};

const DISK_FULL: Readiness = { ready: false, reason: "The disk is full." };

/** Migrations ran before the server listened, so only the database can be missing, or room on the disk. */
async function readiness({ config, db, log }: ServingServices): Promise<Readiness> {
  const full = await folderOnFullDisk(config);
  if (full !== null) {
    log.warn("not_ready", { error: `the disk of ${full} is full` });
    return DISK_FULL;
  }
  const late = Bun.sleep(READINESS_TIMEOUT_MS).then(() => DATABASE_AWAY);
  const asked = db.isReachable().then(
    (): Readiness => ({ ready: true }),
    (error: unknown) => {
      log.warn("not_ready", { error: String(error) });
      if (error instanceof ReadOnlyDatabaseError) return { ready: false, reason: error.message };
      return isOutOfConnections(error) ? NO_CONNECTION_LEFT : DATABASE_AWAY;
    },
  );
  return Promise.race([asked, late]);
}
