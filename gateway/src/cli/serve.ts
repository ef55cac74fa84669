import type { Command } from "./command.ts";
import { parseChoice, parseWhole } from "./flag-values.ts";
import { PROCESS_ROLES } from "./serve-options.ts";

const MAX_WORKERS = 64;

export const serveCommand: Command = {
  path: ["serve"],
  about: "Run the gateway: the API, the console and the background work.",
  notes:
    "Stops on SIGTERM or Ctrl-C after running calls have ended, or after timeouts.drain_ms (30 seconds by default).",
  flags: [
    { name: "workers", value: "N", about: "processes that share the port (default: 1)" },
    {
      name: "role",
      value: "ROLE",
      about:
        "api, worker or all (default: all); a worker listens only if PORT is set, for /healthz, /readyz and /metrics",
    },
  ],
  settings: { port: "PORT", host: "HOST", "data-dir": "BURSAR_DATA_DIR", config: "BURSAR_CONFIG" },
  run({ flags, host }) {
    const role = parseChoice("--role", flags.text("role") ?? "all", PROCESS_ROLES);
    const workers = parseWhole("--workers", flags.text("workers") ?? "1", { min: 1, max: MAX_WORKERS });
    return host.serve({ workers, role, wantsJson: flags.has("json") });
  },
};
