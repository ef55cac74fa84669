import { expect, test } from "bun:test";
import { join } from "node:path";
import { startMisbehavingUpstream } from "../../../test/upstream/misbehaving-upstream.ts";
import { PATIENT } from "./testing.ts";

test("600 slow calls run concurrently with the launcher's request limit, and leave no timer behind", async () => {
  const upstream = await startMisbehavingUpstream();
  try {
    // The upstream answers none of them before all six hundred have arrived.
    const child = Bun.spawn(
      [process.execPath, join(import.meta.dir, "many-calls-testing.ts"), upstream.baseUrl, "600"],
      {
        env: { PATH: process.env["PATH"] ?? "", BUN_CONFIG_MAX_HTTP_REQUESTS: "65336" },
        stdout: "pipe",
        stderr: "inherit",
      },
    );
    expect(await new Response(child.stdout).text()).toBe("600 answered\n");
    const answeredMs = performance.now();
    // The process ends by itself; a leftover timer would delay that by seconds.
    expect(await child.exited).toBe(0);
    expect(performance.now() - answeredMs).toBeLessThan(PATIENT.connectMs / 2);
    expect(upstream.received.length).toBe(600);
  } finally {
    await upstream.close();
  }
});
