import { rmSync } from "node:fs";
import { join } from "node:path";
import { makeTestFolder } from "./test-folder.ts";

/** What the tests of a whole run share, in a folder that is gone when this process ends. */
export async function environmentOfWholeRun(): Promise<Record<string, string>> {
  const folder = makeTestFolder();
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const bundler = Bun.spawn([process.execPath, join(import.meta.dir, "bundle-gateway.ts"), folder], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  if ((await bundler.exited) !== 0) throw new Error("the gateway could not be bundled");
  return { BUNDLED_GATEWAY: join(folder, "main.js") };
}
