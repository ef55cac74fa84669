import { expect, test } from "bun:test";
import { join } from "node:path";

const LAUNCHER = join(import.meta.dir, "..", "bin", "bursar");

test.each([
  [
    { versions: { node: "18.20.8" } },
    "Bursar needs Node 20 or newer, and this is 18.20.8: install a newer one.",
  ],
  [
    { platform: "aix", arch: "ppc64" },
    "Bursar runs on x64 and arm64, with Linux or macOS, and this is aix-ppc64: use another machine.",
  ],
])("the launcher says what it needs: on %p", (pretended, sentence) => {
  const pretend = `for (const [name, value] of Object.entries(${JSON.stringify(pretended)}))
    Object.defineProperty(process, name, { value });`;
  const first = `data:text/javascript,${encodeURIComponent(pretend)}`;
  const { stderr, exitCode } = Bun.spawnSync(["node", "--import", first, LAUNCHER, "--version"]);
  expect([`${stderr}`, exitCode]).toEqual([`${sentence}\n`, 1]);
});
