import { afterAll, expect, test } from "bun:test";
import { createServer, type Server } from "node:net";
import { startTestBucket } from "../../test/s3-server.ts";
import { checkObjectStore } from "./check-store.ts";
import { newObjectKey } from "./object-key.ts";
import { createS3Store } from "./s3-store.ts";

const bucket = await startTestBucket();
afterAll(() => bucket.close());

const store = createS3Store(bucket.settings);
const BYTES = Uint8Array.from({ length: 100_000 }, (_, at) => at & 255);

test("what was written is read back, whole and in parts, and is gone when it was deleted", async () => {
  const key = newObjectKey("assets", "video/mp4");
  expect(await store.sizeOf(key)).toBeNull();
  await store.write(key, BYTES);
  expect(await store.sizeOf(key)).toBe(BYTES.byteLength);
  expect(await store.read(key, 0, BYTES.byteLength)).toEqual(BYTES);
  expect(await store.read(key, 255, 3)).toEqual(new Uint8Array([255, 0, 1]));
  expect(await store.read(key, 0, 1)).toEqual(new Uint8Array([0]));
  await expect(store.read(key, 99_999, 2)).rejects.toThrow("shorter than it should be");
  await store.delete(key);
  await store.delete(key);
  expect(await store.sizeOf(key)).toBeNull();
});

test("the check of a store writes, reads and deletes for real", async () => {
  await checkObjectStore(store);
  const wrong = createS3Store({ ...bucket.settings, bucket: "nobody-made-this" });
  await expect(checkObjectStore(wrong)).rejects.toThrow("bucket does not exist");
});

test("a key is never a name of somebody's choice", async () => {
  for (const bad of ["../x", "assets/x.png", "", "private/../assets/x.png"]) {
    for (const work of [store.write(bad, BYTES), store.sizeOf(bad), store.read(bad, 0, 1), store.delete(bad)])
      await expect(work).rejects.toThrow("an object key of our own form");
  }
});

test("a bucket that accepts and never answers is not waited for", async () => {
  const silent = await listen();
  const { port } = silent.address() as { port: number };
  const endpoint = `http://127.0.0.1:${port}`;
  const stuck = createS3Store({ ...bucket.settings, endpoint }, 50);
  const key = newObjectKey("assets", "image/png");
  await expect(stuck.write(key, BYTES.subarray(0, 10))).rejects.toThrow("did not answer in time");
  await expect(stuck.sizeOf(key)).rejects.toThrow("did not answer in time");
  await expect(stuck.read(key, 0, 1)).rejects.toThrow("did not answer in time");
  await expect(stuck.delete(key)).rejects.toThrow("did not answer in time");
  silent.close();
});

function listen(): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer(() => {});
    server.listen(0, "127.0.0.1", () => resolve(server));
    server.unref();
  });
}
