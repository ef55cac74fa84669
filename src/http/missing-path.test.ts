import { describe, expect, test } from "bun:test";
import { explainMissingPath } from "./missing-path.ts";

describe("a path that leads nowhere names the one that was meant", () => {
  test.each([
    ["/v1/v1/chat/completions", "/v1/chat/completions"],
    ["/chat/completions", "/v1/chat/completions"],
    ["/v1/chat", "/v1/chat/completions"],
    ["/v1/chat/completions/", "/v1/chat/completions"],
    ["/functions/v1/chat/completions", "/v1/chat/completions"],
    ["/functions/v1/v1/responses", "/v1/responses"],
    ["/v1/images", "/v1/images/generations"],
    ["/models", "/v1/models"],
    ["/functions/v1/chat", "/functions/v1/api-v1-chat"],
    ["/functions/v1/models", "/functions/v1/api-v1-models"],
    ["/functions/v1/api-v1-chat/", "/functions/v1/api-v1-chat"],
    ["/v1/api-v1-chat", "/functions/v1/api-v1-chat"],
    ["/api-v1-images", "/functions/v1/api-v1-images"],
    ["/functions/v1/api-v1-video/01930000-0000-7000-8000-000000000000", "/functions/v1/api-v1-video"],
  ])("%s", (path, meant) => {
    expect(explainMissingPath(path)).toStartWith(`There is nothing at this path. Do you mean ${meant}? `);
  });
});

test("what only other services have is said not to be offered, with what there is instead", () => {
  expect(explainMissingPath("/v1/embeddings")).toContain("not offered");
  expect(explainMissingPath("/v1/messages")).toContain("POST /v1/chat/completions");
  expect(explainMissingPath("/v1/audio/speech")).toContain("POST /functions/v1/api-v1-audio");
});

test("everything else is sent to the reference, however it is written", () => {
  for (const path of [
    "/nope",
    "/v1",
    "/functions/v1/",
    "",
    "//",
    "/v1/constructor",
    `/${"/".repeat(50_000)}x`,
  ]) {
    expect(explainMissingPath(path)).toMatch(/^There is nothing at this path\. [^?]*GET \/docs/);
  }
});
