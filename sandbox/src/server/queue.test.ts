import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createFal } from "@ai-sdk/fal";
import { tinyPng } from "../../../gateway/src/providers/media/media-testing.ts";
import { KEY, startTestServer, type TestServer } from "./testing.ts";

let server: TestServer;
beforeAll(() => {
  server = startTestServer();
});
afterAll(() => server.close());

const SHORT = { prompt: "a boat", duration: "0.3s", resolution: "240p", aspect_ratio: "1:1", draft: true };
type Said = Readonly<Record<string, string>>;
type FalVideo = ReturnType<ReturnType<typeof createFal>["video"]>;
type Started = Parameters<NonNullable<FalVideo["doStart"]>>[0];
type Looked = Parameters<NonNullable<FalVideo["doStatus"]>>[0];

/** As fal's own client calls: it builds every URL itself, from the model and the id. */
async function call(method: string, path: string, body?: object, { key = KEY, of = server, more = {} } = {}) {
  const headers = {
    authorization: `Key ${key}`,
    accept: "application/json",
    "content-type": "application/json",
  };
  const response = await fetch(`${of.url}/${path}`, {
    method,
    headers: { ...headers, "x-fal-queue-priority": "normal", ...more },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Said };
}

async function submitted(input: object, how: Parameters<typeof call>[3] = {}, model = "sandbox-video") {
  const { status, body } = await call("POST", `bursar/${model}`, input, how);
  expect(status).toBe(200);
  return `bursar/${model}/requests/${body["request_id"]}`;
}

/** The result, once its status says that it is there. */
async function resultOf(order: string, how: Parameters<typeof call>[3] = {}) {
  let seen: Awaited<ReturnType<typeof call>>;
  do seen = await call("GET", `${order}/status?logs=1`, undefined, how);
  while (seen.status === 202);
  return { ended: seen.body, result: await call("GET", order, undefined, how) };
}

async function bytesOf({ body }: Awaited<ReturnType<typeof call>>): Promise<string> {
  const { url } = (body["video"] ?? body["audio"]) as unknown as { url: string };
  const file = await fetch(url);
  expect(file.status).toBe(200);
  return Bun.hash(await file.arrayBuffer()).toString();
}

describe("fal's queue", () => {
  test("takes a job, says how it is, and hands out the result", async () => {
    const { status, body, headers } = await call("POST", "bursar/sandbox-video/image-to-video", SHORT);
    const order = `${server.url}/bursar/sandbox-video/requests/${body["request_id"]}`;
    expect([status, body]).toEqual([
      200,
      {
        status: "IN_QUEUE",
        queue_position: 0 as never,
        request_id: body["request_id"] ?? "",
        response_url: order,
        status_url: `${order}/status`,
        cancel_url: `${order}/cancel`,
      },
    ]);
    expect(headers.get("x-fal-request-id")).toBe(body["request_id"] ?? "");
    const { ended, result } = await resultOf(order.slice(server.url.length + 1));
    expect(ended).toMatchObject({ status: "COMPLETED", logs: [], request_id: body["request_id"] });
    expect(result.body).toMatchObject({
      video: {
        url: expect.stringMatching(/\/files\/[0-9a-f]{32}\.mp4$/),
        content_type: "video/mp4",
        file_name: expect.any(String),
        file_size: expect.any(Number),
        width: 240,
        height: 240,
      },
    });
  });

  test("is told by the AI SDK's client, too", async () => {
    // It builds its own address, and takes no private one from an answer.
    const publicUrl = "https://queue.fal.run";
    const hidden = startTestServer({ publicUrl });
    const there = (url: string, init: RequestInit) => fetch(url.replace(publicUrl, hidden.url), init);
    const fal = createFal({ apiKey: KEY, fetch: there as typeof fetch });
    const model = fal.video("sandbox-video");
    const asked = { prompt: "a boat", n: 1, aspectRatio: "1:1", duration: 1, seed: 5 } as const;
    const nothing = { resolution: undefined, fps: undefined, image: undefined };
    const providerOptions = { fal: { resolution: "240p", draft: true } };
    const wanted = { ...asked, ...nothing, providerOptions } as unknown as Started;
    const { operation } = (await model.doStart?.(wanted)) ?? {};
    let seen: Awaited<ReturnType<NonNullable<typeof model.doStatus>>> | undefined;
    do seen = await model.doStatus?.({ operation } as Looked);
    while (seen?.status === "pending");
    expect(seen).toMatchObject({ status: "completed", videos: [{ type: "url", mediaType: "video/mp4" }] });
    await hidden.close();
  });

  test("says of work in progress when it may be ready, and cancels it", async () => {
    const order = await submitted({ ...SHORT, prompt: "a boat [sandbox:processing=60s]" });
    const now = await call("GET", `${order}/status`);
    expect([now.status, now.body["status"]]).toEqual([202, "IN_PROGRESS"]);
    expect(now.body["ready_in_ms"]).toBeGreaterThan(50_000);
    expect(await call("GET", order)).toMatchObject({
      status: 400,
      body: { detail: "Request is still in progress" },
    });
    expect(await call("PUT", `${order}/cancel`)).toMatchObject({
      status: 202,
      body: { status: "CANCELLATION_REQUESTED" },
    });
    const { ended, result } = await resultOf(order);
    expect(ended).toMatchObject({ status: "COMPLETED", error_type: "client_cancelled" });
    expect(result.status).toBe(499);
    expect(await call("PUT", `${order}/cancel`)).toMatchObject({
      status: 400,
      body: { status: "ALREADY_COMPLETED" },
    });
  });

  test("makes the same file for the same seed, and another for another", async () => {
    const film = async (seed: number) =>
      bytesOf((await resultOf(await submitted({ ...SHORT, seed }))).result);
    const first = await film(1);
    expect(await film(1)).toBe(first);
    expect(await film(2)).not.toBe(first);
  });

  test("takes references as data URIs, or from a file that it has made itself", async () => {
    const { result } = await resultOf(await submitted(SHORT));
    const { url } = result.body["video"] as unknown as { url: string };
    const image_url = `data:image/png;base64,${Buffer.from(tinyPng()).toString("base64")}`;
    const order = await submitted({ ...SHORT, image_url, video_url: url, keep_audio: false });
    expect((await resultOf(order)).result.status).toBe(200);
    const music = await submitted(
      { prompt: "a song", duration: 1, image_urls: [image_url] },
      {},
      "sandbox-music",
    );
    expect((await resultOf(music)).result.body).toMatchObject({ audio: { content_type: "audio/mpeg" } });
  });

  test.each<[string, object]>([
    ["prompt", { prompt: undefined }],
    ["prompt", { prompt: "x".repeat(32_001) }],
    ["duration", { duration: "1 hour" }],
    ["duration", { duration: 0 }],
    ["seed", { seed: -1 }],
    ["aspect_ratio", { aspect_ratio: "wide" }],
    ["generate_audio", { generate_audio: "yes" }],
    ["image_url", { image_url: "https://example.com/a.png" }],
    ["image_url", { image_url: "kept:0123456789abcdef0123456789abcdef:image/png" }],
    ["video_url", { video_url: 5 }],
    ["image_urls", { image_urls: Array.from({ length: 17 }, () => "data:image/png;base64,AA==") }],
  ])("refuses a job for its %s", async (field, more) => {
    const { status, body } = await call("POST", "sandbox-video", { ...SHORT, ...more });
    expect(status).toBe(422);
    expect(body["detail"]).toMatchObject([{ loc: ["body", field], type: "value_error" }]);
  });

  test("knows no other app, no other request and no other path", async () => {
    expect((await call("POST", "fal-ai/veo3", SHORT)).status).toBe(404);
    expect((await call("GET", "sandbox-video/requests/764cabcf-b745/status")).status).toBe(404);
    expect((await call("GET", "sandbox-video/requests/jAAAA/status")).status).toBe(404);
    expect((await call("GET", "sandbox-video")).status).toBe(404);
    expect((await call("POST", "sandbox-video", SHORT, { key: "secret-key-2" })).status).toBe(401);
  });
});

describe("a job's id", () => {
  const key = (name: string) => ({ more: { "idempotency-key": name } });

  test("is the same for the same key and input, at any process and after a restart", async () => {
    const order = await submitted(SHORT, key("one"));
    expect(await submitted(SHORT, key("one"))).toBe(order);
    const other = startTestServer();
    const elsewhere = { of: other, ...key("one") };
    expect(await submitted(SHORT, elsewhere)).toBe(order);
    // It was never submitted there.
    const again = await submitted({ ...SHORT, seed: 9 }, key("two"));
    const made = await bytesOf((await resultOf(again, elsewhere)).result);
    expect(made).toBe(await bytesOf((await resultOf(again)).result));
    await other.close();
  });

  test("is another for another key, and a key means one job only", async () => {
    expect(await submitted(SHORT, key("three"))).not.toBe(await submitted(SHORT, key("four")));
    expect((await call("POST", "sandbox-video", { ...SHORT, seed: 1 }, key("three"))).status).toBe(409);
  });

  test("stays short whatever the prompt, and a part that is not there is asked for again", async () => {
    const input = { ...SHORT, prompt: `a boat ${crypto.randomUUID().repeat(800)}`.slice(0, 32_000) };
    const order = await submitted(input, key("five"));
    expect(order.length).toBeLessThan(1_000);
    const other = startTestServer();
    const elsewhere = { of: other, ...key("five") };
    const lost = await call("GET", `${order}/status`, undefined, elsewhere);
    expect([lost.status, lost.body["detail"]]).toEqual([404, expect.stringContaining("submit it again")]);
    await submitted(input, elsewhere);
    expect((await resultOf(order, elsewhere)).result.status).toBe(200);
    await other.close();
  });

  test("cannot carry what a submit would refuse", async () => {
    const { encodeJob } = await import("./job-id.ts");
    const operation = { readyAtMs: 0, takesMs: 0, fails: false, errorStatus: null };
    const request = { ...SHORT, duration: "999" };
    const id = encodeJob({ model: "sandbox-video", key: "x", operation, request });
    expect((await call("GET", `sandbox-video/requests/${id}/status`)).status).toBe(422);
  });
});
