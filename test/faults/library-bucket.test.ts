import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { publishTestAsset, TINY_PNG } from "../published-asset.ts";
import { type ScriptedBucket, s3Error, startScriptedBucket } from "../scripted-bucket.ts";

let bucket: ScriptedBucket;
let gateway: TestGateway;
let own: TestOrganization;
beforeAll(async () => {
  bucket = startScriptedBucket();
  gateway = await startTestGateway({ ...bucket.environment });
  own = await gateway.found();
});
afterAll(async () => {
  await gateway.close();
  await bucket.close();
});

async function publishedUrl(): Promise<string> {
  bucket.answer(() => null);
  const { urlToken } = await publishTestAsset(gateway, own);
  return `${gateway.origin}/library/${urlToken}.png`;
}

describe("the URL of a file", () => {
  test.each([
    ["whole", {}],
    ["in part", { range: "bytes=3-9" }],
  ])("answers 503 while its bucket refuses, requested %s", async (_, headers: Record<string, string>) => {
    const url = await publishedUrl();
    bucket.answer(({ method }) => (method === "GET" ? s3Error(403, "AccessDenied") : null));
    const reply = await fetch(url, { headers });
    expect([reply.status, reply.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await reply.json()).toMatchObject({
      error: {
        code: "internal_error",
        message: "The file's store does not answer. Try again in a moment.",
      },
    });
    bucket.answer(() => null);
    const again = await fetch(url);
    expect(new Uint8Array(await again.arrayBuffer())).toEqual(TINY_PNG);
  });
});
