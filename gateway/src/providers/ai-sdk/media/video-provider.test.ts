import { expect, test } from "bun:test";
import { inMemory } from "../../../contract/index.ts";
import { StreamedBody } from "../../../outbound/index.ts";
import { createEmbeddedMedia } from "../../media/embedded-media.ts";
import { callContext, tinyPng, videoRequest } from "../../media/media-testing.ts";
import { createAiSdkVideoProvider } from "./video-provider.ts";

test.each([
  ["accepted", async () => ({ operation: { id: "1" }, warnings: [], response: RESPONSE })],
  ["refused", () => Promise.reject(new Error("no"))],
])("the files of a job are released when it is %s", async (_how, answer) => {
  const embedded = createEmbeddedMedia();
  let sent = "";
  let sentBody: unknown;
  const video = createAiSdkVideoProvider({
    load: async () => () => ({
      doStart: ({ image }) => {
        sent = JSON.stringify(image);
        sentBody = embedded.bodyOf(sent);
        return answer();
      },
      doStatus: undefined,
    }),
    check: () => {},
    encode: ({ referenceImage }, embedding) => ({
      ...(referenceImage && { image: { type: "url", url: embedding.dataUriOf(referenceImage) } }),
      providerOptions: {},
    }),
    embedded,
    decodeEnd: () => null,
    fetchPublic: () => Promise.reject(new Error("nothing is fetched")),
    secrets: [],
  });
  const referenceImage = inMemory({ bytes: tinyPng(), mediaType: "image/png" });
  await video.begin("m", videoRequest({ referenceImage }), callContext()).catch(() => {});
  expect(sentBody).toBeInstanceOf(StreamedBody);
  // Once the call is over, the placeholder stands for no file and is sent as it is.
  expect(embedded.bodyOf(sent)).toBe(sent);
});

test("a poll without an answer times out", async () => {
  const video = createAiSdkVideoProvider({
    load: async () => () => ({ doStart: undefined, doStatus: () => new Promise<never>(() => {}) }),
    check: () => {},
    encode: () => ({ providerOptions: {} }),
    embedded: createEmbeddedMedia(),
    decodeEnd: () => ({ state: "failed", reason: "unknown", message: "not asked" }),
    fetchPublic: () => Promise.reject(new Error("nothing is fetched")),
    secrets: [],
    maxPollMs: 5,
  });
  const job = { operation: { id: "1" }, request: async () => videoRequest() };
  await expect(video.poll("m", job, callContext())).rejects.toMatchObject({ kind: "timeout" });
});

const RESPONSE = { timestamp: new Date(0), modelId: "m", headers: undefined };

test("errors of the library hide the credentials of the call", async () => {
  const secret = "blue_canary_TEAM";
  const refusal = (name: string, words: object) => Object.assign(new Error("no"), { name, ...words });
  const video = createAiSdkVideoProvider({
    load: async () => () => ({
      doStart: () => Promise.reject(refusal("AI_InvalidArgumentError", { message: `${secret} is no key` })),
      doStatus: () =>
        Promise.reject(
          refusal("AI_APICallError", { statusCode: 400, responseBody: `content policy of ${secret}` }),
        ),
    }),
    check: () => {},
    encode: () => ({ providerOptions: {} }),
    embedded: createEmbeddedMedia(),
    decodeEnd: () => null,
    fetchPublic: () => Promise.reject(new Error("nothing is fetched")),
    secrets: [secret],
  });
  await expect(video.begin("m", videoRequest(), callContext())).rejects.toMatchObject({
    publicMessage: "This model does not take the request: [hidden] is no key",
  });
  const job = { operation: { id: "1" }, request: async () => videoRequest() };
  expect(await video.poll("m", job, callContext())).toEqual({
    state: "failed",
    reason: "content_filter",
    message: "content policy of [hidden]",
  });
});
