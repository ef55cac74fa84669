#!/usr/bin/env bun
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { TokenEstimator } from "../src/engine.ts";
import { startSandboxServer } from "../src/server/serve.ts";

const HELP = `bursar-sandbox: a vendor of models that makes everything itself, offline.

  --port N             where to listen (9000; 0 picks a free port)
  --host ADDRESS       127.0.0.1 by default
  --key KEY            what clients must send; better in BURSAR_SANDBOX_KEY, where no list of processes shows it
  --url URL            how clients reach it, where that is not the address above
  --data FOLDER        where results are kept for a day
  --with-parent        end when standard input ends, as it does when whoever started this does, and not before

OpenAI's clients use http://HOST:PORT/v1 (sandbox-chat, sandbox-image, sandbox-voice), fal's use http://HOST:PORT
(sandbox-video, sandbox-music).`;

const { values } = orEnd("cannot start", () =>
  parseArgs({
    options: {
      port: { type: "string", default: "9000" },
      host: { type: "string", default: "127.0.0.1" },
      key: { type: "string" },
      url: { type: "string" },
      data: { type: "string", default: join(tmpdir(), `bursar-sandbox-${process.getuid?.() ?? "files"}`) },
      "with-parent": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  }),
);

if (values.help) {
  process.stdout.write(`${HELP}\n`);
  process.exit(0);
}

const server = orEnd(`cannot start on ${values.host}:${values.port}`, () =>
  startSandboxServer({
    port: Number(values.port),
    hostname: values.host,
    key: values.key ?? process.env["BURSAR_SANDBOX_KEY"] ?? null,
    folder: values.data,
    bounds: { maxBytes: 1 << 30, maxAgeMs: 24 * 60 * 60_000 },
    ...(values.url === undefined ? {} : { publicUrl: values.url }),
    estimator: async (): Promise<TokenEstimator> => import("../../compaction/src/index.ts"),
  }),
);

/** Whoever started the program is to read one line, not where in it something was thrown. */
function orEnd<Made>(what: string, make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    process.stderr.write(`bursar-sandbox ${what}: ${why}\n`);
    process.exit(1);
  }
}

async function end(): Promise<void> {
  await server.close();
  process.exit(0);
}
// A terminal or a supervisor signals all processes at once; whoever started this may still need it.
const onSignal = values["with-parent"] ? () => {} : end;
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"]) process.on(signal, onSignal);
if (values["with-parent"]) {
  process.stdin.on("end", end);
  process.stdin.resume();
}
process.stdout.write(
  `bursar-sandbox listens on ${server.url}; OpenAI's clients and gateways use ${server.url}/v1\n`,
);
