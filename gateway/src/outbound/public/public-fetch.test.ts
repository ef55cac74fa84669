import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { chunked, headText, startRawServer } from "../../../../test/upstream/raw-http.ts";
import { ProviderFailure } from "../../contract/index.ts";
import { failureFrom, never } from "../testing.ts";
import { AbsentFile, FETCH_FAILED, UnsafeAddress } from "./public-failure.ts";
import { createPublicFetch, createPublicPost, pinned, withAllowedHosts } from "./public-fetch.ts";
import { fetchWith, knowing, type MediaHost, startMediaHost, TEST_CA } from "./public-testing.ts";

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1, 2, 3]);

let host: MediaHost;
beforeAll(() => {
  host = startMediaHost(answer);
});
afterAll(() => host.close());

function answer(request: Request): Response {
  const { pathname } = new URL(request.url);
  const status = /^\/status\/(\d+)$/.exec(pathname);
  if (status) return new Response(PNG, { status: Number(status[1]), headers: { location: "/html" } });
  const to = /^\/to\/(\d+)$/.exec(pathname);
  if (to) {
    const left = Number(to[1]);
    return redirect(left === 0 ? "/png" : `/to/${left - 1}`);
  }
  switch (pathname) {
    case "/png":
      return new Response(PNG, { headers: { "content-type": "Image/PNG; charset=x" } });
    case "/html":
      return new Response("<html>", { headers: { "content-type": "text/html" } });
    case "/headers":
      return Response.json(Object.fromEntries(request.headers));
    case "/404":
      return new Response("no", { status: 404 });
    case "/204":
      return new Response(null, { status: 204 });
    case "/nowhere":
      return new Response(null, { status: 302 });
    case "/inside":
      return redirect("https://169.254.169.254/latest/meta-data/");
    case "/http":
      return redirect("http://example.com/a.png");
    case "/file":
      return redirect("file:///etc/passwd");
    case "/other-port":
      return redirect(`https://other.test:${host.port}/png`);
    case "/bomb":
      return encoded("gzip", gzipSync(new Uint8Array(8 << 20)));
    case "/gzip":
      return encoded("gzip", gzipSync(PNG));
    case "/twice":
      return encoded("gzip, gzip", gzipSync(gzipSync(PNG)));
    case "/br":
      return encoded("br", PNG);
    case "/large":
      return new Response(new Uint8Array(2 << 20));
    case "/endless":
      return new Response(endless(0));
    default:
      return new Response(endless(20));
  }
}

function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { location } });
}

function encoded(encoding: string, bytes: Uint8Array): Response {
  return new Response(new Uint8Array(bytes), { headers: { "content-encoding": encoding } });
}

function endless(pauseMs: number): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      if (pauseMs > 0) await Bun.sleep(pauseMs);
      controller.enqueue(new Uint8Array(pauseMs > 0 ? 1 : 64 << 10));
    },
  });
}

const names = knowing({ "media.test": ["127.0.0.1"], "other.test": ["127.0.0.1"] });

function get(path: string, more: Parameters<typeof fetchWith>[2] = {}) {
  const authority = `media.test:${host.port}`;
  return fetchWith({ resolve: names, privateHosts: [authority] }, `https://${authority}${path}`, more);
}

describe("a file", () => {
  test("comes with the media type of its header", async () => {
    const file = await get("/png");
    expect(file.bytes).toEqual(PNG);
    expect(file.mediaType).toBe("image/png");
    expect((await get("/html")).mediaType).toBe("text/html");
  });

  test("is requested by host name, without our credentials", async () => {
    const { bytes } = await get("/headers", { accept: "image/*" });
    const headers = JSON.parse(new TextDecoder().decode(bytes));
    expect(headers).toMatchObject({
      host: `media.test:${host.port}`,
      accept: "image/*",
      "accept-encoding": "identity",
    });
    expect(headers).not.toHaveProperty("authorization");
    expect(headers).not.toHaveProperty("cookie");
  });

  test("that is compressed unasked is decoded", async () => {
    expect((await get("/gzip")).bytes).toEqual(PNG);
  });

  test.each([301, 302, 303, 307, 308])("is fetched through a redirect with status %d", async (status) => {
    expect((await get(`/status/${status}`)).mediaType).toBe("text/html");
  });

  test.each([300, 304, 201])("fails with status %d, whatever its location header", async (status) => {
    expect((await failureFrom(get(`/status/${status}`))).detail.internal).toBe(`status ${status}`);
  });

  test.each([
    [400, true],
    [404, true],
    [499, true],
    [408, false],
    [425, false],
    [429, false],
    [500, false],
    [503, false],
  ])("with status %d counts as absent: %p", async (status, isAbsent) => {
    expect((await failureFrom(get(`/status/${status}`))) instanceof AbsentFile).toBe(isAbsent);
  });

  test("with status 200 is returned despite a location header", async () => {
    expect((await get("/status/200")).bytes).toEqual(PNG);
  });

  test("is fetched through three redirects", async () => {
    expect((await get("/to/2")).bytes).toEqual(PNG);
  });
});

describe("the connection goes to the address that was checked", () => {
  test("a name is resolved once, and a second answer is never used", async () => {
    const answers = [["127.0.0.1"], ["192.0.2.1"]];
    let asked = 0;
    const resolve = async () => answers[asked++] ?? [];
    const authority = `media.test:${host.port}`;
    // No other resolver knows this name, so only the address from ours can have been used.
    const file = await fetchWith({ resolve, privateHosts: [authority] }, `https://${authority}/png`);
    expect(file.bytes).toEqual(PNG);
    expect(asked).toBe(1);
  });

  test("a name that resolves to an internal address after the check is not connected to", async () => {
    const answers = [["192.88.98.1"], ["127.0.0.1"]];
    let asked = 0;
    const resolve = async () => answers[asked++] ?? ["127.0.0.1"];
    host.seen.length = 0;
    await failureFrom(fetchWith({ resolve }, "https://media.test/png", { timeoutMs: 80 }));
    expect(asked).toBe(1);
    expect(host.seen).toEqual([]);
  });

  test("the certificate must match the name", async () => {
    const authority = `other.test:${host.port}`;
    host.seen.length = 0;
    const failure = await failureFrom(
      fetchWith({ resolve: names, privateHosts: [authority] }, `https://${authority}/png`),
    );
    expect(failure.detail.internal).toContain("CERT");
    expect(host.seen).toEqual([]);
  });

  test("the certificate must match even if a connection to the address is open under another name", async () => {
    expect((await get("/png")).bytes).toEqual(PNG);
    const authority = `other.test:${host.port}`;
    const work = fetchWith({ resolve: names, privateHosts: [authority] }, `https://${authority}/png`);
    expect((await failureFrom(work)).detail.internal).toContain("CERT");
  });

  test.each([
    ["93.184.215.14", "https://93.184.215.14:8443/a?b=1"],
    ["2606:4700::1", "https://[2606:4700::1]:8443/a?b=1"],
  ])("%s replaces the name in the URL", (address, expected) => {
    expect(pinned(new URL("https://media.test:8443/a?b=1#c"), address)).toBe(expected);
  });

  // Elsewhere only 127.0.0.1 is this machine.
  test.skipIf(process.platform !== "linux")(
    "if an address does not answer, the next one is tried",
    async () => {
      let tried = 0;
      const hangingUp = Bun.listen({
        hostname: "127.0.0.2",
        port: host.port,
        socket: {
          open(socket) {
            tried += 1;
            socket.terminate();
          },
          data() {},
        },
      });
      const resolve = knowing({ "media.test": ["127.0.0.2", "127.0.0.1"] });
      const authority = `media.test:${host.port}`;
      const file = await fetchWith({ resolve, privateHosts: [authority] }, `https://${authority}/png`);
      hangingUp.stop(true);
      expect(file.bytes).toEqual(PNG);
      expect(tried).toBeGreaterThan(0);
    },
  );
});

describe("a redirect", () => {
  test.each(["/inside", "/http", "/file", "/other-port"])(
    "is checked like the first address: %s",
    async (path) => {
      expect(await failureFrom(get(path))).toBeInstanceOf(UnsafeAddress);
    },
  );

  test.each(["/to/3", "/to/50", "/nowhere"])(
    "fails if there are too many or it has no location: %s",
    async (path) => {
      expect((await failureFrom(get(path))).kind).toBe("unavailable");
    },
  );
});

test.each(["/bomb", "/twice", "/br", "/large", "/endless", "/404", "/204"])(
  "an unusable answer is unavailable: %s",
  async (path) => {
    expect((await failureFrom(get(path))).kind).toBe("unavailable");
  },
);

test("an endless chunked body fails at our limit, whatever its content-length", async () => {
  let sentBytes = 0;
  const liar = await startRawServer(async ({ write, push }) => {
    write(headText(200, { "content-length": "7", "transfer-encoding": "chunked" }));
    const piece = chunked(new Uint8Array(64 << 10));
    while (sentBytes < 64 << 20 && (await push(piece))) sentBytes += piece.length;
  });
  const authority = `media.test:${liar.port}`;
  const work = fetchWith({ resolve: names, privateHosts: [authority] }, `http://${authority}/`);
  expect((await failureFrom(work)).detail.internal).toContain("over");
  expect(sentBytes).toBeLessThan(32 << 20);
  await liar.close();
});

test("a body that arrives too slowly is a timeout", async () => {
  const startedMs = performance.now();
  const failure = await failureFrom(get("/drip", { timeoutMs: 90 }));
  expect(failure.kind).toBe("timeout");
  expect(performance.now() - startedMs).toBeLessThan(2_000);
});

test("a name that is never resolved is a timeout", async () => {
  const resolve = () => new Promise<never>(() => {});
  const failure = await failureFrom(fetchWith({ resolve }, "https://media.test/", { timeoutMs: 50 }));
  expect(failure.kind).toBe("timeout");
});

test("a caller who leaves gets the reason of its signal", async () => {
  const controller = new AbortController();
  const reason = new Error("left");
  setTimeout(() => controller.abort(reason), 30);
  const work = get("/drip", { signal: controller.signal });
  expect(await work.catch((error) => error)).toBe(reason);
  expect(await get("/png", { signal: controller.signal }).catch((error) => error)).toBe(reason);
});

test("every failure has the same public message, so that none reveals what is open", async () => {
  const refused = startMediaHost(() => new Response());
  await refused.close();
  const closed = `media.test:${refused.port}`;
  const work = [
    () => get("/404"),
    () => get("/inside"),
    () => get("/bomb"),
    () => get("/drip", { timeoutMs: 50 }),
    () => fetchWith({ resolve: names, privateHosts: [closed] }, `https://${closed}/`),
    () => fetchWith({ resolve: names }, "https://unknown.test/"),
    () => fetchWith({ resolve: names }, "https://media.test/"),
    () => fetchWith({}, "https://127.0.0.1:22/"),
    () => fetchWith({}, "gopher://x/"),
  ];
  for (const each of work) {
    const failure = await failureFrom(each());
    expect(failure).toBeInstanceOf(ProviderFailure);
    expect(failure.publicMessage).toBe(FETCH_FAILED);
  }
});

test("a provider's own host is allowed for that provider only, at its port", async () => {
  const plain = startMediaHost(() => new Response(PNG), { tls: false });
  const fetchPublic = createPublicFetch({ ca: TEST_CA });
  const options = { maxBytes: 100, timeoutMs: 5_000, signal: never() };
  const url = `http://127.0.0.1:${plain.port}/a.png`;
  expect(await failureFrom(fetchPublic(url, options))).toBeInstanceOf(UnsafeAddress);
  const own = withAllowedHosts(fetchPublic, [`127.0.0.1:${plain.port}`]);
  expect((await own(url, options)).bytes).toEqual(PNG);
  expect(await failureFrom(own(`http://127.0.0.1:${host.port}/png`, options))).toBeInstanceOf(UnsafeAddress);
  await plain.close();
});

describe("a post", () => {
  const post = (url: string, policy = {}, more: { timeoutMs?: number; signal?: AbortSignal } = {}) =>
    createPublicPost({ ca: TEST_CA, resolve: knowing({ "media.test": ["127.0.0.1"] }), ...policy })(url, {
      headers: { "content-type": "application/json" },
      body: "{}",
      timeoutMs: 5_000,
      signal: never(),
      ...more,
    });
  const here = () => ({ privateHosts: [`media.test:${host.port}`] });

  test("ends with the status of the answer, also where that redirects", async () => {
    expect(await post(`https://media.test:${host.port}/204`, here())).toBe(204);
    const before = host.seen.length;
    expect(await post(`https://media.test:${host.port}/status/307`, here())).toBe(307);
    expect(host.seen).toHaveLength(before + 1);
  });

  test("is under the guard of every fetch: inside is not reached, by address or by name", async () => {
    const before = host.seen.length;
    for (const url of [`https://127.0.0.1:${host.port}/png`, "https://media.test/", "http://example.com/"])
      expect(await failureFrom(post(url))).toBeInstanceOf(UnsafeAddress);
    expect(host.seen).toHaveLength(before);
  });

  test("ends at its time and with the reason of its signal", async () => {
    const stuck = { resolve: () => new Promise<never>(() => {}) };
    const slow = await failureFrom(post("https://media.test/", stuck, { timeoutMs: 20 }));
    expect(slow).toMatchObject({ kind: "timeout" });
    const stop = new AbortController();
    const ended = post("https://media.test/", stuck, { signal: stop.signal });
    stop.abort(new Error("stopped"));
    await expect(ended).rejects.toThrow("stopped");
  });
});
