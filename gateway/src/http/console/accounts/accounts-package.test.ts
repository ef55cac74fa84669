import { expect, test } from "bun:test";
import { join } from "node:path";

test("a console does not load the accounts library before somebody signs in", async () => {
  const script = `
    const { createConsole } = await import(${JSON.stringify(join(import.meta.dir, "../index.ts"))});
    const config = { publicUrl: "http://127.0.0.1:1", secret: "x".repeat(32), service: { command: "bin/bursar" } };
    const clock = { nowMs: Date.now, elapsedMs: performance.now.bind(performance) };
    const { handle } = createConsole({ config, clock, catalog: { models: new Map() } });
    const paths = ["/console", "/console/billing?credits=5", "/console/link/" + "a".repeat(43), "/console/style.css"];
    const statuses = [];
    for (const path of paths) statuses.push((await handle(new Request("http://127.0.0.1:1" + path), "::1")).status);
    const loaded = Object.keys(require.cache);
    const library = loaded.filter((name) => name.includes("better-auth"));
    process.stdout.write(JSON.stringify({ statuses, isListed: loaded.length > 20, library }));`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" });
  expect(JSON.parse(await new Response(child.stdout).text())).toEqual({
    statuses: [200, 200, 200, 200],
    isListed: true,
    library: [],
  });
});
