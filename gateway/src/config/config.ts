import { isIP } from "node:net";
import { resolve } from "node:path";
import { faultOfFailpoints } from "../kit/index.ts";
import { readCommand } from "./command.ts";
import { readDatabaseUrl } from "./database.ts";
import { createEnvReader, type Environment, type EnvReader, parseNetwork } from "./env.ts";
import { type Mapping, readConfigFile } from "./file.ts";
import { localOnly } from "./local-only.ts";
import { type MailConfig, readMail } from "./mail.ts";
import { type ObjectSettings, readObjectSettings } from "./objects.ts";
import { type OutboundWay, readOutboundWay } from "./outbound.ts";
import { readStripe, type StripeConfig } from "./payments.ts";
import { namedKinds, type ProviderSettings, readProviders, SANDBOX, type Vendors } from "./providers.ts";
import { sandboxProgram } from "./sandbox-program.ts";
import {
  CATALOG_SECTIONS,
  type Limits,
  type Notices,
  readCreditMicroUsd,
  readLimits,
  readNotices,
  readTimeouts,
  refuseUnknown,
  type Timeouts,
  TOP_LEVEL,
} from "./schema.ts";
import { MIN_SECRET_CHARACTERS } from "./secret.ts";

export type Config = {
  readonly environment: "development" | "production";
  readonly host: string;
  readonly port: number;
  /** Whether PORT was set: a process that takes no calls listens only if it was, for monitoring. */
  readonly portGiven: boolean;
  /** Several processes may listen on the port; the system distributes connections among them. */
  readonly sharedPort: boolean;
  /** True for one of several workers that a parent started on one port. */
  readonly hasSiblings: boolean;
  /** Origin of every absolute URL that we return. */
  readonly publicUrl: string;
  readonly publicUrlGiven: boolean;
  readonly dataDir: string;
  /** Null to run the embedded PostgreSQL in the data folder. */
  readonly databaseUrl: string | null;
  readonly databasePoolSize: number;
  readonly objects: ObjectSettings;
  /** Null if not set, which production does not allow: see `ensureSecret`. */
  readonly secret: string | null;
  readonly configPath: string;
  /** Networks whose forwarded client addresses are trusted, each as `address/bits`. */
  readonly trustedProxies: readonly string[];
  /** Each a `host` or `host:port` from which files are fetched although it is not on the public internet. */
  readonly privateMediaHosts: readonly string[];
  readonly keyPrefix: string;
  readonly aliasPrefix: string;
  /** The command line as named in advice to the operator: see `commandName`. */
  readonly commandName: string;
  /** The same for the console, without a path of this machine if others can reach it. */
  readonly consoleCommandName: string;
  /** Whether the command needs the DATABASE_URL of this process to work on the same database. */
  readonly commandNeedsDatabaseUrl: boolean;
  readonly metricsToken: string | null;
  readonly logLevel: "debug" | "info" | "warn" | "error" | "silent";
  readonly failpoints: string | null;
  /** Null if it is off. Without a URL, each machine that serves starts one of its own. */
  readonly sandbox: ProviderSettings | null;
  /** Whether strangers may create an account and an organization. */
  readonly signUp: "open" | "closed";
  readonly demo: boolean;
  readonly testCheckout: boolean;
  /** Null if nothing is paid through Stripe. */
  readonly stripe: StripeConfig | null;
  /** Null if no emails are sent. */
  readonly mail: MailConfig | null;
  /** The `OTEL_*` variables, unchanged. */
  readonly otel: Environment;
  /** Value of a credit in millionths of a US dollar. */
  readonly creditMicroUsd: number;
  readonly limits: Limits;
  readonly timeouts: Timeouts;
  readonly outboundWay: OutboundWay;
  readonly notices: Notices;
  readonly providers: ReadonlyMap<string, ProviderSettings>;
  /** Providers that a model may name, configured or not. */
  readonly knownProviders: ReadonlySet<string>;
  /** The catalog's sections of the file, not validated; in `asWritten`, `${NAME}` is not substituted. */
  readonly catalogOverlay: { readonly given: Mapping; readonly asWritten: Mapping };
  /** Variables that look like settings but are not: worth a line in the log. */
  readonly unknownNames: readonly string[];
};

/** Needs nothing that a machine with Bursar may lack. */
const MAKE_SECRET = `node -p "crypto.randomBytes(32).toString('hex')"`;

const DEFAULT_PORT = 8787;

export class ConfigError extends Error {
  override name = "ConfigError";
  constructor(readonly problems: readonly string[]) {
    super(`Bursar cannot start with these settings:\n${problems.map((line) => `  - ${line}`).join("\n")}`);
  }
}

/**
 * All wrong settings, and the configuration as far as it can be read: for `doctor`, and for adding the catalog's
 * problems.
 */
export type InspectedConfig = {
  readonly config: Config;
  readonly problems: readonly string[];
  /** Every variable that is read. */
  readonly names: ReadonlySet<string>;
};

/** For callers that cannot continue with a wrong setting. */
export function soundConfig({ config, problems }: InspectedConfig): Config {
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

export function inspectConfig(
  vendors: Vendors,
  env: Environment = process.env,
  cwd: string = process.cwd(),
): InspectedConfig {
  const problems: string[] = [];
  const reader = createEnvReader(env, problems);
  const configName = reader.text("BURSAR_CONFIG");
  const configPath = resolve(cwd, configName ?? "bursar.yaml");
  const file = readConfigFile({ path: configPath, required: configName !== null, env, problems });
  refuseUnknown({ path: "", given: file.given, known: TOP_LEVEL, problems });

  const production = isProduction(reader);
  const address = readAddress(reader);
  const providers = readProviders(reader, file.given["providers"], { vendors, problems });
  const config: Config = Object.freeze({
    environment: production ? "production" : "development",
    ...address,
    ...readStorage(reader, production, cwd),
    configPath,
    ...readCommand(reader, cwd, address),
    ...readOperations(reader, production),
    sandbox: readSandbox(reader, file.given["sandbox"], production),
    signUp: readSignUp(reader, production),
    demo: localOnly(reader, "BURSAR_DEMO", { production, address }),
    testCheckout: localOnly(reader, "BURSAR_TEST_CHECKOUT", { production, address }),
    stripe: readStripe(reader, production),
    mail: readMail(reader),
    otel: Object.freeze(Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith("OTEL_")))),
    creditMicroUsd: readCreditMicroUsd(file.given["credit_usd"], problems),
    limits: readLimits(file.given["limits"], problems),
    timeouts: readTimeouts(file.given["timeouts"], problems),
    outboundWay: readOutboundWay(reader),
    notices: readNotices(file.given["notices"], problems),
    providers,
    knownProviders: new Set([SANDBOX, ...namedKinds(vendors), ...providers.keys()]),
    catalogOverlay: { given: sectionsOf(file.given), asWritten: sectionsOf(file.asWritten) },
    unknownNames: unknownNames(env, reader.names),
  });
  return { config, problems, names: reader.names };
}

/** The environment for a child process of our own, with some settings changed. */
export function childEnvironment(changes: Environment): Environment {
  return { ...process.env, ...changes };
}

/** The environment for a child process that must not learn our settings, keys least of all. */
export function foreignEnvironment(changes: Environment): Environment {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, TMPDIR, ...changes };
}

/** For a server configured for any free port (0): its address is known only once it listens. */
export function withBoundPort(config: Config, port: number): Config {
  const publicUrl = config.publicUrlGiven ? config.publicUrl : ownOrigin(config.host, port);
  return Object.freeze({ ...config, port, publicUrl });
}

/** An invalid value counts as production: its strict rules are the safe ones for checking the rest. */
function isProduction(reader: EnvReader): boolean {
  const given = reader.oneOf("BURSAR_ENV", ["development", "production"]);
  return given === "production" || (given === null && reader.text("BURSAR_ENV") !== null);
}

const LOOPBACK = "127.0.0.1";
/** Four numbers are meant as an IP address: if they are not a valid one, they were mistyped. */
const HOST_NAME = /^(?!\d+(?:\.\d+){3}$)[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/;

function readAddress(reader: EnvReader) {
  const hostGiven = reader.text("HOST") ?? LOOPBACK;
  const hostRight = isIP(hostGiven) !== 0 || HOST_NAME.test(hostGiven);
  if (!hostRight) reader.wrong("HOST", "must be an IP address or a host name", hostGiven);
  const port = reader.wholeNumber("PORT", { min: 0, max: 65535, fallback: DEFAULT_PORT });
  const publicUrl = reader.httpUrl("BURSAR_PUBLIC_URL");
  if (publicUrl !== null && publicUrl !== URL.parse(publicUrl)?.origin) {
    reader.wrong("BURSAR_PUBLIC_URL", "must be an origin without a path, such as https://ai.example.com");
  }
  const host = hostRight ? hostGiven : LOOPBACK;
  return {
    host,
    port,
    portGiven: reader.text("PORT") !== null,
    sharedPort: reader.flag("BURSAR_SHARED_PORT") ?? false,
    hasSiblings: reader.flag("BURSAR_SIBLINGS") ?? false,
    publicUrl: publicUrl ?? ownOrigin(host, port),
    publicUrlGiven: publicUrl !== null,
    trustedProxies: readTrustedProxies(reader),
    privateMediaHosts: readPrivateMediaHosts(reader),
  };
}

/** Where this machine reaches itself: at the address it listens on, or on loopback if it listens on all. */
export function ownOrigin(host: string, port: number): string {
  const isEverywhere = host === "0.0.0.0" || host === "::";
  const named = isEverywhere ? null : URL.parse(`http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`);
  return named?.origin ?? `http://${LOOPBACK}:${port}`;
}

function readTrustedProxies(reader: EnvReader): readonly string[] {
  const given = reader.list("TRUSTED_PROXIES");
  const networks = given.map(parseNetwork);
  const wrong = given.find((_, index) => networks[index] === null);
  if (wrong !== undefined) {
    reader.wrong("TRUSTED_PROXIES", "must be IP addresses or networks such as 10.0.0.0/8", wrong);
  }
  return Object.freeze(networks.filter((network) => network !== null));
}

/** Exact hosts only: a network or a wildcard would allow more than anybody checked. */
function readPrivateMediaHosts(reader: EnvReader): readonly string[] {
  const given = reader.list("BURSAR_PRIVATE_MEDIA_HOSTS");
  const wrong = given.find((host) => !isHostWithPort(host));
  if (wrong !== undefined) {
    reader.wrong(
      "BURSAR_PRIVATE_MEDIA_HOSTS",
      "must be hosts such as files.internal or 10.0.0.5:9000",
      wrong,
    );
  }
  return Object.freeze(given.filter(isHostWithPort));
}

const HOST_WITH_PORT = /^(?:[a-z0-9._-]+|\[[0-9a-f:]+\])(?::[1-9]\d{0,4})?$/;

/** As a URL spells it, so that what is written is what is compared. */
function isHostWithPort(host: string): boolean {
  return HOST_WITH_PORT.test(host) && URL.parse(`https://${host}/`)?.host === host.replace(/:443$/, "");
}

function readStorage(reader: EnvReader, production: boolean, cwd: string) {
  const secret = reader.secret("BURSAR_SECRET", MIN_SECRET_CHARACTERS);
  // Not if production is only assumed because of an invalid value: one mistake should be one problem.
  const isAskedFor = production && reader.text("BURSAR_ENV") === "production";
  if (isAskedFor && reader.text("BURSAR_SECRET") === null) {
    reader.wrong(
      "BURSAR_SECRET",
      `must be set in production, to at least ${MIN_SECRET_CHARACTERS} characters: ${MAKE_SECRET} prints one`,
    );
  }
  const dataDir = resolve(cwd, reader.text("BURSAR_DATA_DIR") ?? "data");
  return {
    dataDir,
    databaseUrl: readDatabaseUrl(reader),
    objects: readObjectSettings(reader, dataDir, cwd),
    databasePoolSize: reader.wholeNumber("BURSAR_DATABASE_POOL", { min: 8, max: 500, fallback: 10 }),
    secret,
  };
}

function readOperations(reader: EnvReader, production: boolean) {
  const failpoints = reader.text("BURSAR_FAILPOINTS");
  if (failpoints !== null) {
    const fault = production ? "must not be set in production" : faultOfFailpoints(failpoints);
    if (fault !== null) reader.wrong("BURSAR_FAILPOINTS", fault);
  }
  return {
    keyPrefix:
      reader.matching(
        "BURSAR_KEY_PREFIX",
        /^[A-Za-z0-9_]{1,31}_$/,
        "must be 2 to 32 letters, digits and _, with _ at the end",
      ) ?? "svc_live_",
    aliasPrefix:
      reader.matching(
        "BURSAR_ALIAS_PREFIX",
        /^[a-z0-9][a-z0-9-]{0,30}-$/,
        "must be 2 to 32 lower-case letters, digits and -, with - at the end",
      ) ?? "svc-",
    metricsToken: reader.secret("BURSAR_METRICS_TOKEN", 16),
    // A person at a terminal reads the welcome, not a line per request.
    logLevel:
      reader.oneOf("BURSAR_LOG_LEVEL", ["debug", "info", "warn", "error", "silent"]) ??
      (process.stderr.isTTY ? "warn" : "info"),
    failpoints: production ? null : failpoints,
  };
}

const NO_SANDBOX =
  "the package @bursar/sandbox is not installed: install it beside bursar, or set this to false";

function readSandbox(reader: EnvReader, given: unknown, production: boolean): ProviderSettings | null {
  if (given !== undefined && given !== null && typeof given !== "boolean") {
    reader.wrong("sandbox", "must be true or false");
  }
  const settingNames = { apiKey: "BURSAR_SANDBOX_KEY", baseUrl: "BURSAR_SANDBOX_URL" };
  const baseUrl = reader.httpUrl(settingNames.baseUrl);
  const apiKey = reader.secret(settingNames.apiKey, 1);
  const asked = reader.flag("BURSAR_SANDBOX") ?? (typeof given === "boolean" ? given : null);
  const isThere = baseUrl !== null || sandboxProgram() !== null;
  if (asked === true && !isThere) reader.wrong("BURSAR_SANDBOX", NO_SANDBOX);
  const isOn = asked ?? (isThere && !production);
  return isOn ? Object.freeze({ name: SANDBOX, kind: SANDBOX, baseUrl, apiKey, settingNames }) : null;
}

/** In production, strangers must prove their email address; on a developer's machine there is nobody to prove it to. */
function readSignUp(reader: EnvReader, production: boolean): "open" | "closed" {
  const given = reader.oneOf("BURSAR_SIGN_UP", ["open", "closed"]) ?? "closed";
  if (given === "open" && production && reader.text("SMTP_URL") === null) {
    reader.wrong("BURSAR_SIGN_UP", "must be closed in production unless SMTP_URL is set");
  }
  return given;
}

function sectionsOf(file: Mapping): Mapping {
  return Object.fromEntries(CATALOG_SECTIONS.map((section) => [section, file[section]]));
}

/** The examples' name for a client's key: trying them in the shell that starts the gateway is no mistake. */
const EXAMPLE_KEY = "BURSAR_KEY";
/** Variables of the project's own tests, listed one by one: settings share their prefix, and typos must be reported. */
const OF_TESTS = new Set(
  ["ATTACKS", "CLOCK", "DATABASE_URL", "FIGURES", "LOG", "LONG", "PRELOAD", "ROUNDS", "SEED", "SEEDS"].map(
    (name) => `BURSAR_TEST_${name}`,
  ),
);

/** Only reported: other programs may share the prefix, and a newer setting must not stop an older version. */
function unknownNames(env: Environment, known: ReadonlySet<string>): readonly string[] {
  return Object.keys(env).filter(
    (name) => name.startsWith("BURSAR_") && name !== EXAMPLE_KEY && !OF_TESTS.has(name) && !known.has(name),
  );
}
