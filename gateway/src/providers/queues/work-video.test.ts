import { expect, test } from "bun:test";
import { inMemory, ProviderFailure } from "../../contract/index.ts";
import { present } from "../../kit/index.ts";
import { StreamedBody } from "../../outbound/index.ts";
import { createEmbeddedMedia } from "../media/embedded-media.ts";
import { callContext, tinyMp4, tinyPng, videoRequest } from "../media/media-testing.ts";
import { createWorkVideo } from "./work-video.ts";

test.each([
  ["accepted", async () => "order-1"],
  ["refused", () => Promise.reject(new ProviderFailure("rejected", "no"))],
])("the files of an order are released when it is %s", async (_how, answer) => {
  const embedded = createEmbeddedMedia();
  let sent = "";
  const video = createWorkVideo({
    work: {
      embedded,
      start: (_model, input) => {
        sent = JSON.stringify(input);
        expect(embedded.bodyOf(sent)).toBeInstanceOf(StreamedBody);
        return answer();
      },
      poll: async () => ({ state: "running" }),
    },
    check: () => {},
    encode: (_model, { referenceImage }, embedding) => ({
      image: referenceImage && embedding.dataUriOf(referenceImage),
    }),
    fetchPublic: () => Promise.reject(new Error("nothing is fetched")),
    secrets: [],
  });
  const referenceImage = inMemory({ bytes: tinyPng(), mediaType: "image/png" });
  await video.begin("m", videoRequest({ referenceImage }), callContext()).catch(() => {});
  // Once the call is over, the placeholder stands for no file and is sent as it is.
  expect(embedded.bodyOf(sent)).toBe(sent);
});

test("a poll without a timely response times out, while fetching the video may take longer", async () => {
  const pending = Promise.withResolvers<never>();
  const looks = [
    () => pending.promise,
    async () => ({ state: "done" as const, output: { video: "https://f.test/a" } }),
  ];
  const video = createWorkVideo({
    work: {
      embedded: createEmbeddedMedia(),
      start: async () => "order-1",
      poll: () => present(looks.shift(), "a look")(),
    },
    check: () => {},
    encode: () => ({}),
    fetchPublic: async () => {
      await Bun.sleep(20);
      return { bytes: new Uint8Array(tinyMp4()), mediaType: "video/mp4" };
    },
    secrets: [],
    maxPollMs: 5,
  });
  const job = { operation: { id: "order-1" }, request: async () => videoRequest() };
  await expect(video.poll("m", job, callContext())).rejects.toMatchObject({ kind: "timeout" });
  expect((await video.poll("m", job, callContext())).state).toBe("succeeded");
});
