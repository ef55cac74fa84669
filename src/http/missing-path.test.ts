import { describe, expect, test } from "bun:test";
import { explainMissingPath } from "./missing-path.ts";

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
    expect(explainMissingPath(path)).toStartWith(`There is nothing at this path. Did you mean ${meant}? `);
  });
});

test("the error for an endpoint that only other services have says that it is not offered, or names ours", () => {
  expect(explainMissingPath("/v1/embeddings")).toContain("not offered");
  expect(explainMissingPath("/v1/messages")).toContain("POST /v1/chat/completions");
  expect(explainMissingPath("/v1/audio/speech")).toContain("POST /functions/v1/api-v1-audio");
  expect(explainMissingPath("/v1/videos")).toContain("POST /functions/v1/api-v1-video");
  expect(explainMissingPath("/v1/videos/video_1/content")).toContain("POST /functions/v1/api-v1-video");
  expect(explainMissingPath("/openai/v1/embeddings")).toContain("Embeddings are not offered");
  expect(explainMissingPath("/v1/openai/deployments/x/embeddings")).toContain("Embeddings are not offered");
  expect(explainMissingPath("/v1/deployments/x/audio/speech")).toContain("POST /functions/v1/api-v1-audio");
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
    expect(explainMissingPath(`/v1/${name}`)).toMatch(/^[A-Z][^.]+ not offered here/);
  }
  expect(explainMissingPath("/v1/files/file-1/content")).toStartWith("Files are not offered");
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
    expect(explainMissingPath(path)).toMatch(/^There is nothing at this path\. [^?]*GET \/docs/);
  }
});
