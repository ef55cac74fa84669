import { afterEach, describe, expect, test } from "bun:test";
import { inMemory } from "../../contract/index.ts";
import { failureFrom } from "../../outbound/testing.ts";
import {
  callContext,
  type MediaVendor,
  silentMp3,
  startMediaVendor,
  tinyMp4,
  tinyPng,
  videoRequest,
} from "../media/media-testing.ts";
import { createFalProvider } from "./fal.ts";
import { createSandboxQueue } from "./sandbox-queue.ts";

let vendor: MediaVendor;
afterEach(() => vendor.close());

const ID = `j${"a-_0".repeat(499)}`;
const MODEL = "sandbox-video";
const context = { ...callContext(), requestId: "our-own-id" };
const picture = { bytes: tinyPng(), mediaType: "image/png" };

function queue(answer: Parameters<typeof startMediaVendor>[0], factory = createSandboxQueue) {
  vendor = startMediaVendor(answer);
  const { music, video } = vendor.provider(factory);
  if (!music || !video) throw new Error("a medium is missing");
  const request = videoRequest({ draft: true, referenceImage: inMemory(picture) });
  const poll = () => video.poll(MODEL, { operation: { id: ID }, request: async () => request }, context);
  return { music, video, request, poll };
}

/** The status of any order; all else is answered as a submit. */
const seen = (status: object) => (call: { path: string }) =>
  Response.json(call.path.endsWith("/status") ? status : { request_id: ID });

describe("an order to the sandbox", () => {
  test("carries our id as its key, what no model of fal has, and gets an id that holds all of it", async () => {
    const { video, request } = queue(seen({}));
    expect(video).toMatchObject({ knowsOurId: true, mayKeepExtent: false });
    expect(await video.begin(MODEL, request, context)).toEqual({ id: ID });
    expect(vendor.sent[0]?.headers.get("idempotency-key")).toBe("our-own-id");
    expect(vendor.sent[0]?.body).toMatchObject({
      draft: true,
      image_url: expect.stringContaining("data:image/png"),
    });
  });

  test("says when it may be ready", async () => {
    const { poll } = queue(seen({ status: "IN_PROGRESS", ready_in_ms: 250 }));
    expect(await poll()).toEqual({ state: "running", readyInMs: 250 });
  });

  test("says that it took too long", async () => {
    const { poll } = queue(seen({ status: "COMPLETED", error: "too long", error_type: "request_timeout" }));
    expect(await poll()).toEqual({ state: "failed", reason: "timeout", message: "too long" });
  });

  test("is given once more where it is not known, and looked at again", async () => {
    let isKnown = false;
    const { poll } = queue(({ method, path }, origin) => {
      if (path === "/f.mp4") return new Response(Buffer.from(tinyMp4()));
      if (method === "POST") isKnown = true;
      if (!isKnown) return Response.json({ detail: "submit it again" }, { status: 404 });
      const answers = { request_id: ID, status: "COMPLETED", video: { url: `${origin}/f.mp4` } };
      return Response.json(answers);
    });
    expect((await poll()).state).toBe("succeeded");
    expect(vendor.sent.map(({ method, headers }) => `${method} ${headers.get("idempotency-key")}`)).toEqual([
      "GET null",
      "POST our-own-id",
      "GET null",
      "GET null",
      "GET null",
    ]);
  });

  test("is given to no other vendor twice, nor with our id", async () => {
    const gone = ({ method }: { method: string }) =>
      method === "POST"
        ? Response.json({ request_id: ID })
        : Response.json({ detail: "gone" }, { status: 404 });
    const { poll, video, request } = queue(gone, createFalProvider);
    expect((await failureFrom(poll())).detail.status).toBe(404);
    await video.begin("fal-ai/veo3", { ...request, draft: false }, context);
    expect(vendor.sent.map(({ method }) => method)).toEqual(["GET", "POST"]);
    expect(vendor.sent[1]?.headers.get("idempotency-key")).toBeNull();
  });

  test("for music carries style, length and pictures", async () => {
    const { music } = queue(({ path }, origin) => {
      if (path === "/f.mp3") return new Response(Buffer.from(silentMp3()));
      return Response.json({ request_id: ID, status: "COMPLETED", audio: { url: `${origin}/f.mp3` } });
    });
    const request = { prompt: "a song", style: "pop", durationMs: 1_250, referenceImages: [picture] };
    await music.compose("sandbox-music", request, context);
    expect(vendor.sent[0]?.body).toEqual({
      prompt: "a song",
      style: "pop",
      duration: 1.25,
      image_urls: [`data:image/png;base64,${Buffer.from(picture.bytes).toString("base64")}`],
    });
  });
});
