import { expect, test } from "bun:test";
import { ProviderFailure } from "../contract.ts";
import { createEmbeddedMedia } from "../embedded-media.ts";
import { inMemory } from "../in-memory.ts";
import { callContext, filmRequest, tinyPng } from "../media-testing.ts";
import { StreamedBody } from "../outbound/index.ts";
import { createWorkVideo } from "./work-video.ts";

test.each([
  ["taken", async () => "order-1"],
  ["refused", () => Promise.reject(new ProviderFailure("rejected", "no"))],
])("the files of an order are let go when it is %s", async (_how, answer) => {
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
      look: async () => ({ state: "running" }),
    },
    encode: (_model, { referenceImage }, embedding) => ({
      image: referenceImage && embedding.dataUriOf(referenceImage),
    }),
    fetchPublic: () => Promise.reject(new Error("nothing is fetched")),
    secrets: [],
  });
  const referenceImage = inMemory({ bytes: tinyPng(), mediaType: "image/png" });
  await video.begin("m", filmRequest({ referenceImage }), callContext()).catch(() => {});
  // A word that stands for no file goes out as it is.
  expect(embedded.bodyOf(sent)).toBe(sent);
});
