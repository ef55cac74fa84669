import { afterAll, describe, expect, test } from "bun:test";
import { createServer, type Server } from "node:net";
import { startTestBucket } from "../../../test/s3-server.ts";
import { s3Error, startScriptedBucket } from "../../../test/scripted-bucket.ts";
import { checkObjectStore } from "./check-store.ts";
import { newObjectKey } from "./object-key.ts";
import { createS3Store, endpointOf, type S3Settings } from "./s3-store.ts";

const bucket = await startTestBucket();
afterAll(() => bucket.close());

const store = createS3Store(bucket.settings);
const BYTES = Uint8Array.from({ length: 100_000 }, (_, at) => at & 255);

test("a written object is read back, whole and in parts, and is gone after its deletion", async () => {
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

test("the check passes for a working bucket and fails for one that does not exist", async () => {
  await checkObjectStore(store);
  const wrong = createS3Store({ ...bucket.settings, bucket: "nobody-made-this" });
  await expect(checkObjectStore(wrong)).rejects.toThrow("bucket does not exist");
});

test("the check needs no right to list, without which a bucket refuses to say that an object is missing", async () => {
  using scripted = scriptedStore();
  scripted.bucket.answer(({ method, exists }) =>
    method === "HEAD" && !exists ? s3Error(403, "AccessDenied") : null,
  );
  await checkObjectStore(scripted.store);
  expect(scripted.bucket.objects.size).toBe(0);
});

test("a key that is not of our own form is refused", async () => {
  for (const bad of ["../x", "assets/x.png", "", "private/../assets/x.png"]) {
    for (const work of [store.write(bad, BYTES), store.sizeOf(bad), store.read(bad, 0, 1), store.delete(bad)])
      await expect(work).rejects.toThrow("an object key of our own form");
  }
});

test("a bucket that accepts connections and never responds is given up in time", async () => {
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

describe("a bucket that answers 200 to anything", () => {
  const page = () =>
    new Response("<html>Please sign in</html>", { headers: { "content-type": "text/html" } });
  const failed = () => new Response("<Error><Code>InternalError</Code></Error>");

  test.each([
    ["a page", page],
    ["an error", failed],
  ])("with %s is not trusted to have stored an object", async (_, answer) => {
    using scripted = scriptedStore();
    scripted.bucket.answer(({ method }) => (method === "PUT" ? answer() : null));
    await expect(scripted.store.write(scripted.key, BYTES)).rejects.toThrow("did not keep");
    scripted.bucket.answer(({ method }) => (method === "PUT" || method === "HEAD" ? answer() : null));
    await expect(scripted.store.write(scripted.key, BYTES)).rejects.toThrow("did not keep");
  });

  test("is retried, and a second attempt can succeed", async () => {
    using scripted = scriptedStore();
    let puts = 0;
    scripted.bucket.answer(({ method }) => (method === "PUT" && ++puts === 1 ? failed() : null));
    await scripted.store.write(scripted.key, BYTES);
    expect(await scripted.store.sizeOf(scripted.key)).toBe(BYTES.byteLength);
  });

  test("is not trusted to have deleted an object", async () => {
    using scripted = scriptedStore();
    await scripted.store.write(scripted.key, BYTES);
    scripted.bucket.answer(({ method }) => (method === "DELETE" ? page() : null));
    await expect(scripted.store.delete(scripted.key)).rejects.toThrow("still there");
    scripted.bucket.answer(page);
    await expect(scripted.store.delete(scripted.key)).rejects.toThrow("still there");
  });
});

describe("a busy bucket", () => {
  const BUSY: [string, () => Response][] = [
    ["with an error of S3", () => s3Error(503, "SlowDown")],
    ["with an error of its own", () => s3Error(429, "TooManyRequests")],
    ["with an empty response", () => new Response(null, { status: 503 })],
    ["with a page", () => new Response("<html><h1>502 Bad Gateway</h1></html>", { status: 502 })],
  ];

  test.each(BUSY)("%s is retried, whatever the request", async (_, busy) => {
    using scripted = scriptedStore();
    const { store, key } = scripted;
    const seen = new Set<string>();
    scripted.bucket.answer(({ method }) => {
      const isFirst = !seen.has(method);
      seen.add(method);
      return isFirst ? busy() : null;
    });
    await store.write(key, BYTES);
    seen.clear();
    expect(await store.sizeOf(key)).toBe(BYTES.byteLength);
    expect(await store.read(key, 0, 3)).toEqual(BYTES.slice(0, 3));
    await store.delete(key);
    expect(await store.sizeOf(key)).toBeNull();
  });

  test("is given up after three attempts, with the likely reasons", async () => {
    using scripted = scriptedStore();
    scripted.bucket.answer(() => new Response(null, { status: 503 }));
    await expect(scripted.store.sizeOf(scripted.key)).rejects.toThrow(
      "gives no reason: it is busy, or does not allow it",
    );
    expect(scripted.bucket.requests.length).toBe(3);
  });

  test("is not one that refuses access, which is not retried", async () => {
    using scripted = scriptedStore();
    scripted.bucket.answer(() => s3Error(403, "AccessDenied"));
    await expect(scripted.store.read(scripted.key, 0, 1)).rejects.toThrow("AccessDenied");
    expect(scripted.bucket.requests.length).toBe(1);
  });
});

describe("the address of the bucket", () => {
  const askedAt = async (settings: Partial<S3Settings>): Promise<string> => {
    using scripted = scriptedStore();
    const { port } = new URL(scripted.bucket.settings.endpoint);
    const { endpoint = scripted.bucket.settings.endpoint } = settings;
    const at = endpoint?.replace("PORT", port) ?? null;
    const store = createS3Store({ ...scripted.bucket.settings, ...settings, endpoint: at });
    await store.sizeOf(scripted.key);
    return scripted.bucket.requests[0]?.url.replace(port, "PORT").replace(scripted.key, "KEY") ?? "";
  };

  test("has the bucket once, in the path or in the host name", async () => {
    expect(await askedAt({})).toBe("http://127.0.0.1:PORT/library/KEY");
    const virtualHosted = true;
    expect(await askedAt({ virtualHosted, endpoint: "http://localhost:PORT" })).toBe(
      "http://library.localhost:PORT/KEY",
    );
    expect(await askedAt({ virtualHosted, endpoint: "http://library.localhost:PORT/" })).toBe(
      "http://library.localhost:PORT/KEY",
    );
  });

  test("is Amazon's for the region if no endpoint is set", () => {
    const at = { bucket: "library", region: "eu-central-1", endpoint: null };
    expect(endpointOf({ ...at, virtualHosted: false })).toBe("https://s3.eu-central-1.amazonaws.com");
    expect(endpointOf({ ...at, virtualHosted: true })).toBe("https://library.s3.eu-central-1.amazonaws.com");
  });
});

function scriptedStore() {
  const bucket = startScriptedBucket();
  const key = newObjectKey("assets", "image/png");
  return {
    bucket,
    key,
    store: createS3Store(bucket.settings),
    [Symbol.dispose]: () => void bucket.close(),
  };
}

function listen(): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer(() => {});
    server.listen(0, "127.0.0.1", () => resolve(server));
    server.unref();
  });
}
