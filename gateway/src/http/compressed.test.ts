import { describe, expect, test } from "bun:test";
import { compressed } from "./compressed.ts";
import { jsonReply } from "./reply.ts";
import { answered, CHAT_BODY, createEdge, sendChat } from "./testing.ts";

/** An edge whose model says this many characters. */
function edgeSaying(length: number) {
  return createEdge({ generation: { chat: async (call) => answered(call, "a".repeat(length)) } });
}

describe("a reply above 1 KiB is compressed when asked for", () => {
  test.each([
    ["gzip, deflate, br, zstd", true],
    ["GZIP;Q=0.5", true],
    ["*", true],
    ["br;q=1, *;q=0.1", true],
    ["identity;q=0.5, gzip;q=0.5", true],
    ["identity, gzip;q=0.5", false],
    ["gzip;q=0", false],
    ["gzip;q=0, *", false],
    ["*;q=0", false],
    ["br", false],
    ["identity", false],
    ["", false],
  ])("Accept-Encoding %p: %p", async (accepted, isZipped) => {
    const response = await sendChat(edgeSaying(2_000), CHAT_BODY, {
      headers: { "accept-encoding": accepted },
    });
    const { headers } = response;
    expect(headers.get("content-encoding")).toBe(isZipped ? "gzip" : null);
    expect(headers.get("vary")).toBe("accept-encoding");
    const bytes = await response.bytes();
    const text = new TextDecoder().decode(isZipped ? Bun.gunzipSync(bytes) : bytes);
    expect(JSON.parse(text).message.content).toBe("a".repeat(2_000));
    expect(headers.get("ratelimit-limit")).toBe("600");
  });

  test("a shorter one is sent as it is, and so are the bytes of a file and a stream", async () => {
    const headers = { "accept-encoding": "gzip" };
    const short = await sendChat(edgeSaying(300), CHAT_BODY, { headers });
    expect([short.headers.has("content-encoding"), short.headers.has("vary")]).toEqual([false, false]);
    const icon = await createEdge().send("/favicon.ico", { key: null, headers });
    expect(icon.headers.has("content-encoding")).toBe(false);
  });

  test("bytes are counted, not characters, and a long reply is the same reply", async () => {
    for (const text of ["€".repeat(400), "Straße ".repeat(20_000)]) {
      const reply = jsonReply("id", { text });
      reply.headers.append("set-cookie", "a=1");
      reply.headers.append("set-cookie", "b=2");
      const request = new Request("http://edge.test/", { headers: { "accept-encoding": "gzip" } });
      const zipped = await compressed(request, reply);
      expect(zipped.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
      expect(zipped.headers.get("content-type")).toBe("application/json");
      const bytes = Bun.gunzipSync(await zipped.bytes());
      expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual({ text });
    }
  });

  test("pages, the API document and errors are compressed too; HEAD has the compressed length", async () => {
    const edge = createEdge();
    const headers = { "accept-encoding": "gzip", accept: "text/html" };
    for (const path of ["/", "/docs", "/openapi.json", "/nothing"]) {
      const got = await edge.send(path, { key: null, headers });
      expect([path, got.headers.get("content-encoding")]).toEqual([path, "gzip"]);
    }
    const [got, head] = [
      await edge.send("/openapi.json", { key: null, headers }),
      await edge.send("/openapi.json", { key: null, headers, method: "HEAD" }),
    ];
    const { byteLength } = await got.bytes();
    expect(head.headers.get("content-length")).toBe(String(byteLength));
  });
});
