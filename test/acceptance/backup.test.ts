import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeTestFolder } from "../test-folder.ts";
import { bursar, chatStatus, type GatewayProcess, startGateway, totalCredits } from "./gateway-process.ts";

const TEST_LIMIT_MS = 120_000;
const CALLERS = 4;

test(
  "a backup made under load restores elsewhere with correct books, the same key and the same file",
  async () => {
    const home = makeTestFolder();
    const place = (name: string) => join(home, name);
    const folder = mkdtempSync(place("first-"));
    const other = mkdtempSync(place("second-"));
    // No rate limit may interfere: the callers keep calling for as long as the backup takes.
    writeFileSync(join(folder, "bursar.yaml"), "plans: { pro: { requests_per_minute: 1000000 } }");
    const gateways: GatewayProcess[] = [];
    try {
      const first = await startGateway(folder);
      gateways.push(first);
      const key = /svc_live_[0-9A-Za-z]{43}/.exec(first.welcome)?.[0] ?? "";
      const picture = await drawPicture(first.origin, key);
      const load = keepCalling(first.origin, key);
      await load.answered(10);
      expect(await bursar(folder, "backup", place("backup"))).toMatchObject({
        ok: true,
        objects: { files: 1 },
      });
      const before = load.count();
      await load.answered(before + 10);
      await load.stop();
      const leftAtFirst = await totalCredits(first.origin, key);
      expect(await first.stop("SIGTERM")).toBe(0);

      expect(await bursar(other, "restore", place("backup"))).toMatchObject({ ok: true, faults: 0 });
      expect(await bursar(other, "ledger", "verify")).toMatchObject({ ok: true });
      await expect(bursar(other, "restore", place("backup"))).rejects.toThrow("has tables already");

      const second = await startGateway(other);
      gateways.push(second);
      // Charges after the backup are not in it.
      expect(await totalCredits(second.origin, key)).toBeGreaterThan(leftAtFirst);
      expect(await chatStatus(second.origin, key)).toBe(200);
      const again = await fetch(`${second.origin}${picture.path}`);
      expect(Buffer.from(await again.arrayBuffer()).equals(picture.bytes)).toBe(true);
    } finally {
      await Promise.all(gateways.map((gateway) => gateway.stop("SIGTERM")));
      rmSync(home, { recursive: true, force: true });
    }
  },
  TEST_LIMIT_MS,
);

test("restore refuses a folder without a manifest, and backup refuses a folder that is not empty", async () => {
  const folder = makeTestFolder();
  try {
    await expect(bursar(folder, "restore", folder)).rejects.toThrow(
      "it is not a backup, or an unfinished one",
    );
    expect(existsSync(join(folder, "postgres"))).toBe(false);
    await Bun.write(join(folder, "mine"), "");
    await expect(bursar(folder, "backup", folder)).rejects.toThrow("is not empty");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("backup and ledger verify fail without a database, and create none", async () => {
  const folder = makeTestFolder();
  try {
    for (const argv of [
      ["backup", join(folder, "copy")],
      ["ledger", "verify"],
    ]) {
      await expect(bursar(folder, ...argv)).rejects.toThrow("set BURSAR_DATA_DIR or DATABASE_URL");
    }
    expect(existsSync(join(folder, "postgres"))).toBe(false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

async function drawPicture(origin: string, key: string): Promise<{ path: string; bytes: Buffer }> {
  const response = await fetch(`${origin}/functions/v1/api-v1-images`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox-image", prompt: "a fox" }),
  });
  const body = (await response.json()) as { image_url: string };
  const url = new URL(body.image_url);
  const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
  return { path: url.pathname, bytes };
}

/** Several callers, each calling again as soon as it is answered; every answer must be 200. */
function keepCalling(origin: string, key: string) {
  let calls = 0;
  let isOver = false;
  const callers = Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (!isOver) {
        expect(await chatStatus(origin, key)).toBe(200);
        calls++;
      }
    }),
  );
  return {
    count: () => calls,
    async answered(atLeast: number) {
      while (calls < atLeast) await Promise.race([Bun.sleep(20), callers]);
    },
    async stop() {
      isOver = true;
      await callers;
    },
  };
}
