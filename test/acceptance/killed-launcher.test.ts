import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { makeTestFolder } from "../test-folder.ts";
import { startGateway } from "./gateway-process.ts";

const TEST_LIMIT_MS = 60_000;
/** If it waited for sibling workers that do not exist, the request would take longer than this. */
const METRICS_WITHIN_MS = 1_500;

test(
  "a gateway ends when its launcher is killed; until then its metrics count one process",
  async () => {
    const dataDir = makeTestFolder();
    try {
      const { origin, pid } = await startGateway(dataDir, { BURSAR_SHARED_PORT: "true" });
      const asked = await fetch(`${origin}/metrics`, { signal: AbortSignal.timeout(METRICS_WITHIN_MS) });
      expect(await asked.text()).toContain("bursar_processes 1\n");
      process.kill(pid, "SIGKILL");
      await until(() =>
        fetch(`${origin}/healthz`, { keepalive: false }).then(
          () => false,
          () => true,
        ),
      );
      // Its own PostgreSQL ends last.
      await until(async () => !(await Bun.$`ps -eo args=`.text()).includes(dataDir));
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
  TEST_LIMIT_MS,
);

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await Bun.sleep(50);
}
