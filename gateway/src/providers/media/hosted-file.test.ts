import { afterAll, describe, expect, test } from "bun:test";
import { AbsentFile, createPublicFetch, type PublicFetch } from "../../outbound/index.ts";
import { failureFrom, never } from "../../outbound/testing.ts";
import { fetchHosted, fetchVideo, hostedLimits } from "./hosted-file.ts";
import { base64, expectWashed, silentMp3, tinyMp4 } from "./media-testing.ts";

const FILES: Readonly<Record<string, () => Response>> = {
  video: () => new Response(Buffer.from(tinyMp4())),
  page: () => new Response("<html>sorry</html>"),
  sound: () => new Response(Buffer.from(silentMp3())),
  nothing: () => new Response(null),
  large: () => new Response(Buffer.concat([tinyMp4(), Buffer.alloc(1_000)])),
  gone: () => new Response("", { status: 410 }),
  loop: () => new Response(null, { status: 302, headers: { location: "/loop" } }),
  busy: () => new Response("", { status: 503 }),
  later: () => new Response("", { status: 429 }),
};
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: ({ url }) => FILES[new URL(url).pathname.slice(1)]?.() ?? new Response("", { status: 404 }),
});
const host = `127.0.0.1:${server.port}`;
afterAll(() => server.stop(true));

/** The real limit for videos is too large for a test. */
const open = createPublicFetch({ privateHosts: [host] });
const fetchPublic: PublicFetch = (url, options) => open(url, { ...options, maxBytes: 1_000 });
const video = (url: string) => fetchVideo(url, { fetchPublic, signal: never() });

describe("a video that its vendor reports as done", () => {
  test("is fetched from its URL, or read from its data URI", async () => {
    const inline = `data:video/mp4;base64,${base64(tinyMp4())}`;
    for (const url of [`http://${host}/video`, inline]) {
      expect((await video(url)).state).toBe("succeeded");
    }
  });

  test.each([
    ["a web page", `http://${host}/page`],
    ["audio", `http://${host}/sound`],
    ["empty", `http://${host}/nothing`],
    ["too large", `http://${host}/large`],
    ["at a private address", "http://169.254.169.254/video.mp4"],
    ["an HTML data URI", `data:text/html;base64,${base64(Buffer.from("<html>"))}`],
    ["a plain-text data URI", "data:text/plain,video"],
  ])("fails with provider_error if its file is %s", async (_name, url) => {
    const state = await video(url);
    if (state.state !== "failed") throw new Error("it goes on");
    expect(state.reason).toBe("provider_error");
    expectWashed(state.message);
  });

  test.each([
    ["gone", true],
    ["elsewhere", true],
    ["loop", true],
    ["busy", false],
    ["later", false],
  ])("is unavailable for now, and marked absent if the host says so: %s", async (path, isAbsent) => {
    const failure = await failureFrom(video(`http://${host}/${path}`));
    expect(failure.kind).toBe("unavailable");
    // If the host says that it is absent, it is not waited for indefinitely.
    expect(failure instanceof AbsentFile).toBe(isAbsent);
  });
});

test("a data URI is held to the same size limit as a fetched file", async () => {
  const { maxBytes } = hostedLimits("image");
  const url = `data:image/png;base64,${"A".repeat(Math.ceil((maxBytes + 1) / 3) * 4)}`;
  const failure = await failureFrom(fetchHosted(url, "image", { fetchPublic, signal: never() }));
  expect(failure.detail).toMatchObject({ internal: `over ${maxBytes} bytes`, targetHealth: "up" });
});
