import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mediaSettings } from "../endpoints/media-models.ts";
import { startTestGateway, type TestGateway } from "../harness.ts";
import { startTestBucket, type TestBucket } from "../s3-server.ts";
import { type MediaUpstream, startMediaUpstream } from "../upstream/media-upstream.ts";
import { expectQuiet } from "./ending.ts";
import { MEDIA_FORMS } from "./media-client.ts";
import { startNode } from "./node-process.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";
import { startSweepingNode } from "./sweeping-node.ts";

const CREDITS = 100;
const TEST_LIMIT_MS = 60_000;
const THREE_HOURS_MS = 3 * 60 * 60 * 1_000;
const [, draw] = MEDIA_FORMS[0];

let upstream: MediaUpstream;
let settings: SettingsFile;
let bucket: TestBucket;
let gateway: TestGateway;
beforeAll(async () => {
  upstream = startMediaUpstream();
  settings = writeSettings(mediaSettings(upstream.baseUrl, { names: ["good"] }));
  bucket = await startTestBucket();
  gateway = await startTestGateway({ ...settings.environment, ...bucket.environment });
});
afterAll(async () => {
  await gateway.close();
  await bucket.close();
  await upstream.close();
  settings.remove();
});

function filesIn(folder: string, ending = ""): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map(({ name }) => name);
}

describe("over S3, a process that dies while it makes an image", () => {
  test.each([
    ["asset_after_write", 0],
    ["asset_after_row", 1],
  ])(
    "at %s leaves %d assets, and no object without an asset after the sweep",
    async (point, published) => {
      const { db } = gateway.database;
      const of = await gateway.found({ credits: CREDITS });
      const node = await startNode(db.url, {
        ...settings.environment,
        ...bucket.environment,
        BURSAR_FAILPOINTS: `${point}=kill`,
      });
      const before = filesIn(bucket.folder, "_S3rver_object").length;
      await expect(draw({ origin: node.origin, of, prompt: "A lighthouse", name: "good" })).rejects.toThrow();
      await node.exited;
      await node.remove();
      expect(filesIn(bucket.folder, "_S3rver_object").length).toBe(before + 1);
      const sweeper = await startSweepingNode(gateway.database);
      await sweeper.sweepAfterALease(gateway.services.lease);
      await sweeper.close();
      await gateway.database.advanceClock(THREE_HOURS_MS);
      await gateway.services.library.sweep();
      expect(filesIn(bucket.folder, "_S3rver_object").length).toBe(before + published);
      await expectQuiet(db, of.id, CREDITS - 5 * published);
      const page = await gateway.services.library.list(of.id, { limit: 10, cursor: null });
      expect(page?.assets.length).toBe(published);
      for (const { urlToken } of page?.assets ?? [])
        expect((await fetch(`${gateway.origin}/library/${urlToken}.png`)).status).toBe(200);
    },
    TEST_LIMIT_MS,
  );
});

describe("a full disk", () => {
  test(
    "refuses the call with a 503, charges nothing and leaves no half file",
    async () => {
      const { db } = gateway.database;
      const of = await gateway.found({ credits: CREDITS });
      const folder = mkdtempSync(join(tmpdir(), "bursar-full-"));
      // The system's limit on file sizes stands in for a full disk: nothing can be written.
      const noRoom = ["sh", "-c", 'trap "" XFSZ; ulimit -f 0; exec "$0" "$@"'];
      const environment = {
        ...settings.environment,
        BURSAR_OBJECTS_DIR: folder,
        BURSAR_SECRET: "s".repeat(32),
      };
      const node = await startNode(db.url, environment, noRoom);
      try {
        const reply = await draw({ origin: node.origin, of, prompt: "A lighthouse", name: "good" });
        expect([reply.status, reply.headers.get("retry-after")]).toEqual([503, "10"]);
        expect(await reply.text()).toContain("The file could not be stored. Nothing was charged; try again.");
        expect(filesIn(folder)).toEqual([]);
        await expectQuiet(db, of.id, CREDITS);
        const chat = await fetch(`${node.origin}/readyz`);
        expect(chat.status).toBe(200);
      } finally {
        await node.remove();
        rmSync(folder, { recursive: true, force: true });
      }
    },
    TEST_LIMIT_MS,
  );
});
