import { describe, expect, test } from "bun:test";
import { silentLog } from "../telemetry/index.ts";
import { explainMissingPath } from "./missing-path.ts";
import { createEdge, USAGE_PATH } from "./testing.ts";

describe("the error for an unknown path suggests the path that was probably meant", () => {
  test.each([
    ["/v1/v1/chat/completions", "/v1/chat/completions"],
    ["/chat/completions", "/v1/chat/completions"],
    ["/v1/chat", "/v1/chat/completions"],
    ["/v1/chat/completions/", "/v1/chat/completions"],
    ["/functions/v1/chat/completions", "/v1/chat/completions"],
    ["/functions/v1/v1/responses", "/v1/responses"],
    ["/v1/images", "/v1/images/generations"],
    ["/models", "/v1/models"],
    ["/v1/chat/completions/chat/completions", "/v1/chat/completions"],
    ["/openai/v1/chat/completions", "/v1/chat/completions"],
    ["/v1/openai/v1/chat/completions", "/v1/chat/completions"],
    ["/api/v1/chat/completions", "/v1/chat/completions"],
    ["/openai/deployments/x/chat/completions", "/v1/chat/completions"],
    ["/openai/v1/responses", "/v1/responses"],
    ["/api/v1/models/", "/v1/models"],
    ["/v1/chat/completions/models", "/v1/models"],
    ["/openai/v1/images/generations", "/v1/images/generations"],
    ["/functions/v1/chat", "/functions/v1/api-v1-chat"],
    ["/functions/v1/models", "/functions/v1/api-v1-models"],
    ["/functions/v1/api-v1-chat/", "/functions/v1/api-v1-chat"],
    ["/v1/api-v1-chat", "/functions/v1/api-v1-chat"],
    ["/api-v1-images", "/functions/v1/api-v1-images"],
    ["/functions/v1/api-v1-video/01930000-0000-7000-8000-000000000000", "/functions/v1/api-v1-video"],
  ])("%s", (path, meant) => {
    expect(explainMissingPath(path).message).toStartWith(
      `There is nothing at this path. Did you mean ${meant}? `,
    );
  });
});

test("the error for an endpoint that only other services have says that it is not offered, or names ours", () => {
  expect(explainMissingPath("/v1/embeddings").message).toContain("not offered");
  expect(explainMissingPath("/v1/messages").message).toContain("POST /v1/chat/completions");
  expect(explainMissingPath("/v1/audio/speech").message).toContain("POST /functions/v1/api-v1-audio");
  expect(explainMissingPath("/v1/videos").message).toContain("POST /functions/v1/api-v1-video");
  expect(explainMissingPath("/v1/videos/video_1/content").message).toContain(
    "POST /functions/v1/api-v1-video",
  );
  expect(explainMissingPath("/openai/v1/embeddings").message).toContain("Embeddings are not offered");
  expect(explainMissingPath("/v1/openai/deployments/x/embeddings").message).toContain(
    "Embeddings are not offered",
  );
  expect(explainMissingPath("/v1/deployments/x/audio/speech").message).toContain(
    "POST /functions/v1/api-v1-audio",
  );
  for (const name of [
    "moderations",
    "files",
    "batches",
    "uploads",
    "realtime",
    "fine_tuning",
    "rerank",
    "vector_stores",
    "conversations",
    "assistants",
    "audio/transcriptions",
    "responses/input_tokens",
    "responses/compact",
  ]) {
    expect(explainMissingPath(`/v1/${name}`).message).toMatch(/^[A-Z][^.]+ not offered here/);
  }
  expect(explainMissingPath("/v1/files/file-1/content").message).toStartWith("Files are not offered");
});

test.each([
  [
    "/v1beta/models/gemini-3-pro:generateContent",
    "generateContent",
    "The generateContent wire is not offered",
  ],
  ["/v1/models/a/b:streamGenerateContent", "generateContent", "The generateContent wire is not offered"],
  ["/v1/models/x:batchEmbedContents", "embeddings", "Embeddings are not offered"],
  ["/v1/messages/count_tokens", "messages", "The messages wire is not offered"],
  ["/v1/chat", "/v1/chat/completions", "There is nothing at this path. Did you mean"],
  ["/v1/responses/resp_1", "responses", "Responses are not kept"],
  ["/api/tags", "other", "There is nothing at this path."],
])("%s is logged as %s", (path, name, message) => {
  const miss = explainMissingPath(path);
  expect([miss.name, miss.message]).toEqual([name, expect.stringContaining(message)]);
});

test("a miss is logged with its method and the name of what was asked for, and says so even where the path is ours", async () => {
  const lines: unknown[] = [];
  const info = (_: string, { method, missed, status }: Record<string, unknown> = {}) =>
    void lines.push([method, missed, status]);
  const edge = createEdge({ deps: { log: { ...silentLog, info } } });
  await edge.send("/v1/embeddings", { method: "POST", body: "{}" });
  await edge.send("/canary", { method: "PATCH" });
  await edge.send(USAGE_PATH, { method: "PUT" });
  const google = await edge.send("/v1/models/gemini:generateContent", { method: "POST", body: "{}" });
  expect(await google.text()).toContain("use POST /v1/chat/completions or POST /v1/responses");
  expect([google.status, google.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  expect(lines).toEqual([
    ["POST", "embeddings", 404],
    ["PATCH", "other", 404],
    ["PUT", undefined, 405],
    ["POST", "generateContent", 405],
  ]);
});

test("the error for any other path points to /docs", () => {
  for (const path of [
    "/nope",
    "/v1",
    "/functions/v1/",
    "",
    "//",
    "/v1/constructor",
    "/v1/supermodels",
    `/${"/".repeat(50_000)}x`,
  ]) {
    expect(explainMissingPath(path).message).toMatch(/^There is nothing at this path\. [^?]*GET \/docs/);
  }
});
