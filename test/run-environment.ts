import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeTestFolder } from "./test-folder.ts";

/** What all tests of a run share, in a folder that is gone when this process ends. */
export async function environmentOfRun(isWhole: boolean): Promise<Record<string, string>> {
  const folder = makeTestFolder();
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  // For everybody, as temporary folders are: PostgreSQL runs as another user.
  chmodSync(folder, 0o1777);
  // What is flushed to a disk, as backups, secrets and files of the library are, makes a test wait 5 to 100 ms.
  const environment = { TMPDIR: folder };
  return isWhole
    ? { ...environment, BUNDLED_GATEWAY: await bundleGateway(join(folder, "gateway")) }
    : environment;
}

async function bundleGateway(folder: string): Promise<string> {
  const bundler = Bun.spawn([process.execPath, join(import.meta.dir, "bundle-gateway.ts"), folder], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  if ((await bundler.exited) !== 0) throw new Error("the gateway could not be bundled");
  return join(folder, "main.js");
}
