import type { LoadedCatalog } from "../catalog/index.ts";
import { type Config, type InspectedConfig, soundConfig } from "../config/index.ts";
import { type Database, isNewDatabase, migrate } from "../db/index.ts";
import type { ProviderTrial } from "../providers/index.ts";
import { silentLog } from "../telemetry/index.ts";
import type { BodyPreview, PreviewOptions } from "./body-preview.ts";
import type { OperatorServices } from "./operator-services.ts";
import { requireOwnDatabase } from "./require-own-database.ts";
import { requireUpToDate } from "./require-tables.ts";
import type { ServeOptions } from "./serve-options.ts";
import type { Terminal } from "./terminal.ts";

/** What the process gives to the command line. Nothing is opened before a command needs it. */
export type CliHost = {
  readonly terminal: Terminal;
  readonly version: string;
  inspectConfig(): InspectedConfig;
  /** The catalog under these settings, and the providers that this version can reach with them; opens nothing. */
  inspectCatalog(config: Config): CatalogInspection;
  /** Asks every provider of these settings something free; one that is absent was not tried. */
  tryProviders(config: Config): Promise<ReadonlyMap<string, ProviderTrial>>;
  /** What the gateway would make of the body of a chat call; opens and sends nothing. Throws what it would refuse. */
  previewBody(json: Uint8Array, options: PreviewOptions): Promise<BodyPreview>;
  openDatabase(config: Config): Promise<Database>;
  /** Everything an operator's command works with; the database as it is. */
  openServices(): Promise<OperatorServices>;
  /** Runs until the process is told to stop; answers the exit code. */
  serve(options: ServeOptions): Promise<number>;
};

export type CatalogInspection = {
  readonly loaded: LoadedCatalog;
  readonly reachableProviders: ReadonlySet<string>;
};

/** Opens the services for one piece of work and closes them whatever becomes of it; makes no database for it. */
export async function withServices<T>(
  host: CliHost,
  work: (services: OperatorServices) => Promise<T>,
): Promise<T> {
  requireOwnDatabase(soundConfig(host.inspectConfig()));
  return withOpen(host, async (services) => {
    await requireUpToDate(services.db);
    return work(services);
  });
}

/** The same for what may come before the first start: a database that is missing or empty is made. */
export async function withNewServices<T>(
  host: CliHost,
  work: (services: OperatorServices) => Promise<T>,
): Promise<T> {
  return withOpen(host, async (services) => {
    if (await isNewDatabase(services.db)) await migrate(services.db, silentLog);
    else await requireUpToDate(services.db);
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
