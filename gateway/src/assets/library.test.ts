import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publishTestAsset, TINY_PNG } from "../../../test/published-asset.ts";
import { startTestBucket, type TestBucket } from "../../../test/s3-server.ts";
import { createTestDatabase, type TestDatabase } from "../db/testing.ts";
import { armFailpoint, atMost, DAY_MS, newId } from "../kit/index.ts";
import { type Log, silentLog } from "../telemetry/index.ts";
import { createLibrary, type Library } from "./library.ts";
import { newObjectKey } from "./object-key.ts";
import type { ObjectStore } from "./object-store.ts";
import { openObjectStore } from "./open-store.ts";

const HOUR_MS = 3_600_000;
const OF_TESTS = { secret: "secret", databaseWaitMs: 30_000 };

for (const kind of ["files", "s3"]) {
  describe(`on ${kind}`, () => {
    const folder = mkdtempSync(join(tmpdir(), "bursar-library-"));
    let bucket: TestBucket | null = null;
    let database: TestDatabase;
    let objects: ObjectStore;
    let library: Library;
    const owner = { id: newId(), keyId: newId() };

    beforeAll(async () => {
      database = await createTestDatabase();
      bucket = kind === "s3" ? await startTestBucket() : null;
      objects = openObjectStore(bucket?.settings ?? { kind: "files", folder });
      library = createLibrary({ db: database.db, objects, ...OF_TESTS, log: silentLog });
    });

    afterAll(async () => {
      await database.drop();
      await bucket?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    const publish = () => publishTestAsset({ services: { library, db: database.db } }, owner);
    const store = (durationMs = 1234.5) =>
      library.store(owner.id, {
        type: "image",
        bytes: TINY_PNG,
        mediaType: "image/png",
        width: null,
        height: null,
        durationMs,
        prompt: "half a pair \ud800 and \0",
      });

    async function orphans(): Promise<number> {
      const { rows } = await database.db.pool.query("select from stray_objects");
      return rows.length;
    }

    test("a draft is stored, but not visible before it is paid", async () => {
      const draft = await store();
      expect(draft).toMatchObject({ mediaType: "image/png", width: 1, height: 1, durationMs: 1235 });
      expect(draft.prompt).toBe("half a pair \ufffd and ");
      expect(await objects.sizeOf(draft.objectKey)).toBe(TINY_PNG.byteLength);
      expect(await library.find(owner.id, draft.id)).toBeNull();
      expect(await library.open(draft.urlToken)).toBeNull();
      expect(await library.delete(owner.id, draft.id)).toBe(false);
    });

    test.each([2 ** 31, Number.POSITIVE_INFINITY, Number.NaN, 0, -1])(
      "a length of %p, with which the settlement would fail or that none has, is left out",
      async (durationMs) => {
        expect((await store(durationMs)).durationMs).toBeNull();
      },
    );

    test("an unpaid draft is swept when its time is over, and not before; a published asset stays", async () => {
      await database.advanceClock(3 * HOUR_MS);
      await library.sweep();
      const draft = await store();
      const asset = await publish();
      await database.advanceClock(2 * HOUR_MS - 60_000);
      expect(await library.sweep()).toBe(0);
      expect(await objects.sizeOf(draft.objectKey)).not.toBeNull();
      await database.jumpClock(40 * DAY_MS);
      expect(await library.sweep()).toBe(0);
      await database.jumpClock(-40 * DAY_MS);
      await database.advanceClock(2 * 60_000);
      expect(await library.sweep()).toBe(1);
      expect([await objects.sizeOf(draft.objectKey), await orphans()]).toEqual([null, 0]);
      expect((await library.open(asset.urlToken))?.asset.id).toBe(asset.id);
    });

    test("a crash right after the bytes are written leaves only what the sweep finds", async () => {
      const disarm = armFailpoint("asset_after_write", () => {
        throw new Error("dead");
      });
      await expect(store()).rejects.toThrow("dead");
      disarm();
      expect(await orphans()).toBe(1);
      await database.advanceClock(3 * HOUR_MS);
      expect([await library.sweep(), await orphans()]).toEqual([1, 0]);
    });

    test("a drop of private objects that died midway is completed by the next sweep", async () => {
      await library.sweep();
      const file = { bytes: TINY_PNG, mediaType: "image/png" };
      const key = await library.keepPrivate(owner.id, file, HOUR_MS);
      const reached = Promise.withResolvers<void>();
      const remove = () => {
        reached.resolve();
        return new Promise<void>(() => {});
      };
      const dying = { ...objects, delete: remove };
      const other = createLibrary({ db: database.db, objects: dying, ...OF_TESTS, log: silentLog });
      void other.dropPrivate([key]);
      await reached.promise;
      expect([await library.sweep(), await library.openPrivate(key)]).toEqual([1, null]);
    });

    test("a deletion that could not remove the bytes is completed by the sweep", async () => {
      const asset = await publish();
      const stuck = { ...objects, delete: () => Promise.reject(new Error("the store is away")) };
      const other = createLibrary({ db: database.db, objects: stuck, ...OF_TESTS, log: silentLog });
      expect(await other.delete(owner.id, asset.id)).toBe(true);
      expect(await library.open(asset.urlToken)).toBeNull();
      expect(await orphans()).toBe(1);
      expect(await library.sweep()).toBe(0);
      await database.advanceClock(11 * 60_000);
      expect([await library.sweep(), await orphans(), await objects.sizeOf(asset.objectKey)]).toEqual([
        1,
        0,
        null,
      ]);
    });

    test("an asset is found by its request until it is deleted, and only for its organization", async () => {
      const asset = await publish();
      const found = async (orgId: string) =>
        (await library.ofRequest(orgId, asset.requestId)).map(({ id }) => id);
      expect([await found(owner.id), await found(newId())]).toEqual([[asset.id], []]);
      await library.delete(owner.id, asset.id);
      expect(await found(owner.id)).toEqual([]);
    });

    test("a store that never responds does not block a deletion", async () => {
      const asset = await publish();
      const silent = { ...objects, delete: () => new Promise<never>(() => {}) };
      const other = createLibrary({
        db: database.db,
        objects: silent,
        ...OF_TESTS,
        log: silentLog,
        removalWaitMs: 20,
      });
      expect(await other.delete(owner.id, asset.id)).toBe(true);
      expect([await library.open(asset.urlToken), await orphans()]).toEqual([null, 1]);
      expect([await library.sweep(), await orphans()]).toEqual([1, 0]);
    });

    test("one object that cannot be removed does not keep the sweep from the others", async () => {
      const drafts = await Promise.all(Array.from({ length: 70 }, store));
      await database.advanceClock(3 * HOUR_MS);
      const bad = drafts[7]?.objectKey;
      const stuck: ObjectStore = {
        ...objects,
        delete: (key) => (key === bad ? Promise.reject(new Error("no")) : objects.delete(key)),
      };
      const other = createLibrary({ db: database.db, objects: stuck, ...OF_TESTS, log: silentLog });
      expect([await other.sweep(), await orphans()]).toEqual([69, 1]);
      await database.advanceClock(HOUR_MS);
      expect([await library.sweep(), await orphans()]).toEqual([1, 0]);
    });

    test("a private file is read by its key, is swept in time, and can be dropped earlier", async () => {
      const key = await library.keepPrivate(owner.id, { bytes: TINY_PNG, mediaType: "text/html" }, HOUR_MS);
      const dropped = await library.keepPrivate(
        owner.id,
        { bytes: TINY_PNG, mediaType: "image/png" },
        HOUR_MS,
      );
      const kept = await library.openPrivate(key);
      expect(kept).toMatchObject({ sizeBytes: TINY_PNG.byteLength, mediaType: "image/png" });
      expect(await kept?.read(1, 3)).toEqual(new Uint8Array(TINY_PNG.subarray(1, 4)));
      await library.dropPrivate([dropped]);
      expect(await library.openPrivate(dropped)).toBeNull();
      await database.advanceClock(HOUR_MS + 1_000);
      expect([await library.sweep(), await library.openPrivate(key), await orphans()]).toEqual([1, null, 0]);
    });

    test("an asset's bytes cannot be read or dropped as a private file", async () => {
      const { objectKey } = await publish();
      await expect(library.openPrivate(objectKey)).rejects.toThrow("a private object's key");
      await expect(library.dropPrivate([objectKey])).rejects.toThrow("a private object's key");
      expect(await objects.sizeOf(objectKey)).toBe(TINY_PNG.byteLength);
    });

    test("a point in time is refused as the time to keep a private file for", async () => {
      const keep = library.keepPrivate(
        owner.id,
        { bytes: TINY_PNG, mediaType: "image/png" },
        Date.now() + HOUR_MS,
      );
      await expect(keep).rejects.toThrow("not a time to keep");
    });

    test("an asset whose bytes were lost fails with a 500", async () => {
      const asset = await publish();
      await objects.delete(asset.objectKey);
      await expect(library.open(asset.urlToken)).rejects.toMatchObject({
        code: "internal_error",
        status: 500,
      });
      await library.delete(owner.id, asset.id);
    });

    test("an asset that is deleted while it is opened is not found, rather than damaged", async () => {
      const asset = await publish();
      const late: ObjectStore = {
        ...objects,
        async sizeOf(key) {
          await library.delete(owner.id, asset.id);
          return objects.sizeOf(key);
        },
      };
      const other = createLibrary({ db: database.db, objects: late, ...OF_TESTS, log: silentLog });
      expect(await other.open(asset.urlToken)).toBeNull();
    });

    test("an asset that is deleted while it is opened is not found either if the store refuses access", async () => {
      const asset = await publish();
      const secretive: ObjectStore = {
        ...objects,
        async sizeOf() {
          await library.delete(owner.id, asset.id);
          throw new Error("AccessDenied");
        },
      };
      const other = createLibrary({ db: database.db, objects: secretive, ...OF_TESTS, log: silentLog });
      expect(await other.open(asset.urlToken)).toBeNull();
    });

    test("bytes that the store does not return are a 503, with a log line each time", async () => {
      const asset = await publish();
      const lines: string[] = [];
      const log: Log = { ...silentLog, error: (event, { asset } = {}) => lines.push(`${event} ${asset}`) };
      const away = () => Promise.reject(new Error("the store is away"));
      const other = (changes: Partial<ObjectStore>) =>
        createLibrary({ db: database.db, objects: { ...objects, ...changes }, ...OF_TESTS, log });
      const is503 = { status: 503, options: { retryAfterSeconds: 5 } };
      await expect(other({ sizeOf: away }).open(asset.urlToken)).rejects.toMatchObject(is503);
      const file = await other({ read: away }).open(asset.urlToken);
      await expect(file?.read(0, 3)).rejects.toMatchObject(is503);
      await expect(file?.read(3, 3)).rejects.toMatchObject(is503);
      expect(lines).toEqual(Array(3).fill(`object_not_read ${asset.id}`));
    });

    test("a sweep skips an object that somebody else has locked, and does not wait", async () => {
      const [held] = await Promise.all([store(), store()]);
      await database.advanceClock(3 * HOUR_MS);
      const client = await database.db.pool.connect();
      try {
        await client.query("begin");
        await client.query("select from stray_objects where object_key = $1 for update", [held.objectKey]);
        const swept = library.sweep();
        expect(await atMost(swept, 5_000)).toBe(true);
        expect(await swept).toBe(1);
      } finally {
        await client.query("rollback");
        client.release();
      }
      expect([await library.sweep(), await orphans()]).toEqual([1, 0]);
    });

    test("concurrent deletions, sweeps and publications leave no row without bytes, and no stray object", async () => {
      const drafts = await Promise.all(Array.from({ length: 12 }, publish));
      await Promise.all([
        ...drafts
          .slice(0, 8)
          .flatMap(({ id }) => [library.delete(owner.id, id), library.delete(owner.id, id)]),
        ...Array.from({ length: 4 }, () => library.sweep()),
        ...Array.from({ length: 6 }, publish),
      ]);
      await library.sweep();
      const page = await library.list(owner.id, { limit: 1_000, cursor: null });
      for (const { objectKey, sizeBytes } of page?.assets ?? [])
        expect(await objects.sizeOf(objectKey)).toBe(sizeBytes);
      for (const { objectKey } of drafts.slice(0, 8)) expect(await objects.sizeOf(objectKey)).toBeNull();
      expect(await orphans()).toBe(0);
    });

    test("a list shows what matches its filter", async () => {
      const other = { id: newId(), keyId: newId() };
      const gateway = { services: { library, db: database.db } };
      const member = newId();
      const mine = await publishTestAsset(gateway, other, { memberUserId: member, model: "a" });
      const theirs = await publishTestAsset(gateway, other, { model: "b" });
      const idsOf = async (filter: Parameters<Library["list"]>[1]["filter"]) =>
        (await library.list(other.id, { limit: 10, cursor: null, ...(filter && { filter }) }))?.assets.map(
          ({ id }) => id,
        );
      expect(await idsOf({})).toEqual([theirs.id, mine.id]);
      expect(await idsOf({ memberUserId: member })).toEqual([mine.id]);
      expect(await idsOf({ model: "b" })).toEqual([theirs.id]);
      expect(await idsOf({ type: "image" })).toEqual([theirs.id, mine.id]);
      expect(await idsOf({ type: "audio" })).toEqual([]);
      const day = (at: Date, days: number) =>
        new Date(at.getTime() + days * 24 * HOUR_MS).toISOString().slice(0, 10);
      const [first, last] = [day(mine.createdAt, 0), day(theirs.createdAt, 0)];
      expect(await idsOf({ from: first, to: last, model: "a" })).toEqual([mine.id]);
      expect(await idsOf({ from: day(theirs.createdAt, 1) })).toEqual([]);
      expect(await idsOf({ to: day(mine.createdAt, -1) })).toEqual([]);
    });
  });
}

test("a store that cannot write gives a 503 that can be retried", async () => {
  const database = await createTestDatabase();
  const full: ObjectStore = {
    description: "a full disk",
    write: () =>
      Promise.reject(Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" })),
    sizeOf: async () => null,
    read: () => Promise.reject(new Error("nothing here")),
    blobOf: () => null,
    delete: async () => {},
  };
  const library = createLibrary({ db: database.db, objects: full, ...OF_TESTS, log: silentLog });
  const file = { bytes: TINY_PNG, mediaType: "image/png" };
  const kept = library.keepPrivate(newId(), file, HOUR_MS);
  await expect(kept).rejects.toMatchObject({ status: 503, options: { retryAfterSeconds: 10 } });
  await expect(kept).rejects.not.toThrow("ENOSPC");
  await database.advanceClock(3 * HOUR_MS);
  expect(await library.sweep()).toBe(1);
  await database.drop();
});

test.each(["assets", "private"] as const)("object keys of %s are unique and of their own form", (area) => {
  const keys = Array.from({ length: 1_000 }, () => newObjectKey(area, "image/png"));
  const names = keys.map((key) => /^([a-z]+)\/([0-9a-f]{2})\/(\2[0-9a-f]{30})\.png$/.exec(key));
  expect(new Set(names.map((parts) => parts?.[1]))).toEqual(new Set([area]));
  // Nothing of one name repeats in another: the first half alone tells them apart, and so does the second.
  for (const half of [0, 16])
    expect(new Set(names.map((parts) => parts?.[3]?.slice(half, half + 16))).size).toBe(1_000);
});
