import type { LoadedCatalog } from "../catalog/index.ts";
import { type Config, type InspectedConfig, soundConfig } from "../config/index.ts";
import type { ProviderTrial } from "../contract/index.ts";
import { type Database, isNewDatabase, migrate } from "../db/index.ts";
import { lookAtTime } from "../ledger/index.ts";
import { silentLog } from "../telemetry/index.ts";
import type { BodyPreview, PreviewOptions } from "./body-preview.ts";
import type { OperatorServices } from "./operator-services.ts";
import { requireOwnDatabase } from "./require-own-database.ts";
import { requireUpToDate } from "./require-tables.ts";
import type { ServeOptions } from "./serve-options.ts";
import type { Terminal } from "./terminal.ts";

/** What the process provides to the command line. Nothing is opened before a command needs it. */
export type CliHost = {
  readonly terminal: Terminal;
  readonly version: string;
  inspectConfig(): InspectedConfig;
  /** Where the gateway with these settings serves, or would serve. */
  servedAddress(config: Config): string;
  /** The catalog with these settings, and the providers that this version can reach with them; opens nothing. */
  inspectCatalog(config: Config): CatalogInspection;
  /** Sends every configured provider a free request; a provider missing from the result was not tried. */
  tryProviders(config: Config): Promise<ReadonlyMap<string, ProviderTrial>>;
  /** What the gateway would make of a chat call's body; opens and sends nothing. Throws the error it would return. */
  previewBody(json: Uint8Array, options: PreviewOptions): Promise<BodyPreview>;
  openDatabase(config: Config): Promise<Database>;
  /** Everything that operator commands work with; does not migrate the database. */
  openServices(): Promise<OperatorServices>;
  /** Runs until the process is told to stop; returns the exit code. */
  serve(options: ServeOptions): Promise<number>;
};

export type CatalogInspection = {
  readonly loaded: LoadedCatalog;
  readonly reachableProviders: ReadonlySet<string>;
};

/** Opens the services for one piece of work and closes them in any case. Never creates a database. */
export async function withServices<T>(
  host: CliHost,
  work: (services: OperatorServices) => Promise<T>,
): Promise<T> {
  requireOwnDatabase(soundConfig(host.inspectConfig()));
  return withOpen(host, async (services) => {
    await requireUpToDate(services.db);
    await lookAtTime(services.db);
    return work(services);
  });
}

/** The same for commands that may come before the first start: creates a missing or empty database. */
export async function withNewServices<T>(
  host: CliHost,
  work: (services: OperatorServices) => Promise<T>,
): Promise<T> {
  return withOpen(host, async (services) => {
    if (await isNewDatabase(services.db)) await migrate(services.db, silentLog);
    else await requireUpToDate(services.db);
    await lookAtTime(services.db);
    return work(services);
  });
}

async function withOpen<T>(host: CliHost, work: (services: OperatorServices) => Promise<T>): Promise<T> {
  const services = await host.openServices();
  try {
    return await work(services);
  } finally {
    await services.close();
  }
}
