import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import type { FailPoint } from "../../gateway/src/kit/index.ts";
import { mediaSettings } from "../endpoints/media-models.ts";
import { startTestGateway, type TestGateway } from "../harness.ts";
import { type MediaUpstream, startMediaUpstream } from "../upstream/media-upstream.ts";
import { expectQuiet } from "./ending.ts";
import { assetCount, expectNoOrphans, MEDIA_FORMS } from "./media-client.ts";
import { startNode } from "./node-process.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";
import { startSweepingNode } from "./sweeping-node.ts";

const CREDITS = 100;
const TEST_LIMIT_MS = 60_000;
const [, draw] = MEDIA_FORMS[0];

/**
 * What is left of a call whose process died at this point: a hold (and perhaps unowned bytes), or the whole settlement.
 */
const LEFT: readonly (readonly [FailPoint, "nothing" | "hold" | "settled"])[] = [
  ["after_upstream_headers", "hold"],
  ["after_upstream_end", "hold"],
  ["asset_after_write", "hold"],
  ["before_settle_sql", "hold"],
  ["asset_after_row", "settled"],
  ["after_settle_commit", "settled"],
];
/** Points that a chat call passes too; chat covers them on every push. */
const LEFT_TOO: typeof LEFT = [
  ["before_hold", "nothing"],
  ["after_hold_sql", "hold"],
  ["after_hold_commit", "hold"],
  ["before_upstream_send", "hold"],
  ["after_upstream_send", "hold"],
  ["after_settle_sql", "settled"],
  ["after_reply", "settled"],
];
const isLong = process.env["BURSAR_TEST_LONG"] === "1";

let upstream: MediaUpstream;
let settings: SettingsFile;
let gateway: TestGateway;
beforeAll(async () => {
  upstream = startMediaUpstream();
  settings = writeSettings(mediaSettings(upstream.baseUrl, { names: ["good"] }));
  gateway = await startTestGateway(settings.environment);
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
  settings.remove();
});

describe("a process that dies while it makes an image", () => {
  for (const [point, left] of isLong ? [...LEFT, ...LEFT_TOO] : LEFT) {
    test(
      `at ${point}: the retry succeeds with one charge, and no uncharged file is left`,
      async () => {
        const { db } = gateway.database;
        const of = await gateway.found({ credits: CREDITS, isRenewed: false });
        const call = { of, prompt: "A lighthouse", name: "good", idempotencyKey: "retry" };
        // Shares this gateway's object store, as nodes do.
        const dataDir = gateway.services.config.dataDir;
        const node = await startNode(db.url, {
          ...settings.environment,
          BURSAR_DATA_DIR: dataDir,
          BURSAR_FAILPOINTS: `${point}=kill`,
        });
        await expect(draw({ ...call, origin: node.origin })).rejects.toThrow();
        await node.exited;
        await node.remove();
        expect(existsSync(dataDir)).toBe(true);
        expect(await assetCount(gateway, of.id)).toBe(left === "settled" ? 1 : 0);
        if (left === "hold") {
          const sweeper = await startSweepingNode(gateway.database);
          await sweeper.sweepUntilReleased(of.id, gateway.services.lease);
          await sweeper.close();
          await expectQuiet(db, of.id, CREDITS);
        }
        const retry = await draw({ ...call, origin: gateway.origin });
        const isReplay = left === "settled" ? "true" : null;
        expect([retry.status, retry.headers.get("idempotent-replayed")]).toEqual([200, isReplay]);
        const { image_url: url } = (await retry.json()) as { image_url: string };
        const path = new URL(url).pathname;
        expect((await fetch(`${gateway.origin}${path}`)).status).toBe(200);
        await expectQuiet(db, of.id, CREDITS - 5);
        expect(await assetCount(gateway, of.id)).toBe(1);
        await expectNoOrphans(gateway);
      },
      TEST_LIMIT_MS,
    );
  }
});
