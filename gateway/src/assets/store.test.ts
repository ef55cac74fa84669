import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { publishTestAsset } from "../../../test/published-asset.ts";
import { makeTestFolder } from "../../../test/test-folder.ts";
import { createTestDatabase } from "../db/testing.ts";
import { newId } from "../kit/index.ts";
import { silentLog } from "../telemetry/index.ts";
import { createLibrary } from "./library.ts";
import { openObjectStore } from "./open-store.ts";
import { loadAsset, loadAssetByToken, loadAssetsOfRequest } from "./store.ts";

const database = await createTestDatabase({ poolSize: 1 });
const { db } = database;
const folder = makeTestFolder();
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

test("a column added by a later version changes nothing for a connection that has read before", async () => {
  const objects = openObjectStore({ kind: "files", folder });
  const library = createLibrary({ db, objects, secret: "secret", log: silentLog, databaseWaitMs: 30_000 });
  const asset = await publishTestAsset({ services: { library, db } }, { id: newId(), keyId: newId() });
  const { orgId, requestId, urlToken } = asset;
  const found = async () => [
    await loadAsset(db, orgId, asset.id),
    await loadAssetByToken(db, urlToken),
    ...(await loadAssetsOfRequest(db, { orgId, requestId, limit: 1 })),
  ];
  expect(await found()).toEqual([asset, asset, asset]);
  await db.pool.query("alter table assets add column note_of_the_next_version text");
  expect(await found()).toEqual([asset, asset, asset]);
});
