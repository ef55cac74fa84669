/**
 * Test program: attaches to the PostgreSQL of a data folder, reports that in JSON lines, stays until its input ends,
 * then leaves. Run by `holdServer` in embedded-testing.ts.
 */

import type { Log } from "../../telemetry/index.ts";
import { openEmbedded } from "./embedded.ts";
import { DURABLE_SETTINGS } from "./server-settings.ts";
import { THROWAWAY_SETTINGS } from "./throwaway-testing.ts";

function say(event: string, fields: Record<string, unknown> = {}): void {
  process.stdout.write(`${JSON.stringify({ event, ...fields })}\n`);
}

// If the test was killed, nobody reads this any more; leaving in order matters more than reporting it.
process.stdout.on("error", () => {});

const log: Log = { debug: say, info: say, warn: say, error: say };

const [dataDir = "", durability = ""] = process.argv.slice(2);
process.on("SIGINT", () => say("interrupted"));
try {
  const settings = durability === "durable" ? DURABLE_SETTINGS : THROWAWAY_SETTINGS;
  const server = await openEmbedded({ dataDir, log, settings });
  say("ready", { url: server.url });
  for await (const _ of process.stdin) {
    // Input is ignored; its end is the signal to leave.
  }
  await server.leave();
  say("left");
} catch (error) {
  say("failed", { message: (error as Error).message });
}
process.exit(0);
