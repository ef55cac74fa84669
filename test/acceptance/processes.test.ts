import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { makeTestFolder } from "../test-folder.ts";
import { bursar, chatStatus, runPrintedCurl, startGateway, totalCredits } from "./gateway-process.ts";

const TEST_LIMIT_MS = 60_000;

let dataDir: string;
beforeAll(() => {
  dataDir = makeTestFolder();
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

function keyIn(welcome: string): string {
  const key = /svc_live_[0-9A-Za-z]{43}/.exec(welcome)?.[0];
  if (key === undefined) throw new Error("the first start printed no key");
  return key;
}

test(
  "the first start prints a key and a working curl command; a stop and a kill -9 lose no credit",
  async () => {
    const folder = makeTestFolder();
    try {
      const first = await startGateway(folder);
      const key = keyIn(first.welcome);
      expect(first.welcome).toMatch(/\/console\/link\/\S{43}/);
      expect(await runPrintedCurl(first.welcome)).toMatchObject({
        credits_charged: 1,
        balance: { subscription: 49_999, anytime: 100_000 },
      });
      expect(await first.stop("SIGTERM")).toBe(0);

      const second = await startGateway(folder);
      expect(second.welcome).not.toContain("svc_live_");
      expect(second.welcome).toContain("bursar key create --org demo");
      expect(await totalCredits(second.origin, key)).toBe(149_999);
      expect(await chatStatus(second.origin, key)).toBe(200);
      await second.stop("SIGKILL");

      const third = await startGateway(folder);
      expect(await totalCredits(third.origin, key)).toBe(149_998);
      expect(await bursar(folder, "ledger", "verify")).toMatchObject({ faults: [] });
      expect(await third.stop("SIGINT")).toBe(0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  TEST_LIMIT_MS,
);

test(
  "two processes on one data folder: a revoked key is refused on both within a second",
  async () => {
    const [one, two] = [await startGateway(dataDir), await startGateway(dataDir)];
    try {
      const key = keyIn(one.welcome);
      const minted = await bursar(dataDir, "key", "create", "--org", "demo", "--name", "doomed");
      const doomed = String(minted["key"]);
      expect(await chatStatus(one.origin, doomed)).toBe(200);
      expect(await chatStatus(two.origin, doomed)).toBe(200);
      await bursar(dataDir, "key", "revoke", "--key", String(minted["id"]), "--org", "demo");
      const revokedAtMs = performance.now();
      while (
        (await chatStatus(two.origin, doomed)) !== 401 ||
        (await chatStatus(one.origin, doomed)) !== 401
      ) {
        expect(performance.now() - revokedAtMs).toBeLessThan(1_000);
      }
      expect(await chatStatus(two.origin, key)).toBe(200);
      expect(await bursar(dataDir, "ledger", "verify")).toMatchObject({ faults: [] });
    } finally {
      await Promise.all([one.stop("SIGTERM"), two.stop("SIGTERM")]);
    }
  },
  TEST_LIMIT_MS,
);
