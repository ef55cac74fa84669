import { inspectCatalog, openServices, operationServices } from "./app/services.ts";
import { servedAddress } from "./app/serving/served-address.ts";
import { inspectConfig, loadConfig } from "./app/settings.ts";
import { type CliHost, createStandardOutput, runCli } from "./cli/index.ts";
import { openDatabase } from "./db/index.ts";
import { tryProviders } from "./providers/index.ts";
import { logWritten, silentLog } from "./telemetry/index.ts";
import { VERSION } from "./version.ts";

const output = createStandardOutput(process.stdout);
const terminal = {
  write: (text: string) => output.write(text),
  writeError: (text: string) => void process.stderr.write(text),
  colors: process.stdout.isTTY === true,
};

const host: CliHost = {
  terminal,
  version: VERSION,
  inspectConfig,
  servedAddress,
  inspectCatalog,
  tryProviders: ({ providers, outboundWay }) => tryProviders(providers, { outboundWay }),
  async previewBody(json, options) {
    // Imported on demand: it reads bodies with the server's own code, which few commands need.
    const { previewBody } = await import("./app/preview-body.ts");
    const { config, problems } = inspectConfig();
    const loaded = problems.length === 0 ? inspectCatalog(config).loaded : null;
    return previewBody(json, options, {
      config,
      catalog: loaded?.outcome === "ok" ? loaded.catalog : null,
    });
  },
  openDatabase: (config) =>
    openDatabase({ databaseUrl: config.databaseUrl, dataDir: config.dataDir, poolSize: 2, log: silentLog }),
  async openServices() {
    const config = loadConfig();
    const services = await openServices(config, { log: silentLog });
    return operationServices(services, { publicUrl: servedAddress(config), serving: null });
  },
  async serve(options) {
    const config = loadConfig();
    // Imported on demand: commands that only administer need not load the server.
    const { besideSandbox } = await import("./app/serving/sandbox-child.ts");
    return besideSandbox(config, async (sandbox) => {
      const given = { ...options, sandbox, terminal };
      if (options.workers > 1) {
        const { serveWorkers } = await import("./app/serving/serve-workers.ts");
        return serveWorkers(given);
      }
      const { serve } = await import("./app/serving/serve.ts");
      return serve(given);
    });
  },
};

const isServing = ["serve", undefined].includes(process.argv[2]);
const exitCode = await runCli(process.argv.slice(2), host);
await logWritten();
// `serve` keeps running if its output is lost, and has logged that; for every other command the output is the result.
const lost = isServing ? null : await output.written();
if (lost)
  terminal.writeError(
    `bursar: The output of this command could not be written (${lost.message}): anything that is shown only once must be created again.\n`,
  );
// Everything that matters is closed; a leftover timer or idle socket must not keep the process alive.
process.stdout.write("", () => process.exit(exitCode || (lost ? 1 : 0)));
