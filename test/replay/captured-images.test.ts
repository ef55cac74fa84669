import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { imagesResponseSchema } from "../../gateway/src/http/openai/images/images-schema.ts";
import { mediaSettings } from "../endpoints/media-models.ts";
import { type SettingsFile, writeSettings } from "../faults/settings-file.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { type MediaUpstream, startMediaUpstream } from "../upstream/media-upstream.ts";
import { capturedRequests, hasCaptures, publishedSchemas } from "./captured-requests.ts";
import { printReport } from "./report.ts";

let upstream: MediaUpstream;
let settings: SettingsFile;
let gateway: TestGateway;
let own: TestOrganization;
beforeAll(async () => {
  upstream = startMediaUpstream();
  settings = writeSettings(mediaSettings(upstream.baseUrl));
  gateway = await startTestGateway(settings.environment);
  own = await gateway.found();
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
  settings.remove();
});

describe.if(hasCaptures)("requests that real clients sent", () => {
  test("to /v1/images/generations are all answered in the published schema", async () => {
    const official = publishedSchemas("openai.images-models.pruned.json");
    const captured = capturedRequests().filter(({ path }) => path === "/v1/images/generations");
    const failures: string[] = [];
    for (const { name, path, headers, body } of captured) {
      const response = await fetch(`${gateway.origin}${path}`, {
        method: "POST",
        headers: { ...headers, authorization: `Bearer ${own.key}` },
        body: JSON.stringify({ ...body, model: "svc-image" }),
      });
      const reply: unknown = await response.json();
      const ownFaults = imagesResponseSchema.safeParse(reply).error?.issues ?? [];
      const faults = [
        ...official.faults("ImagesResponse", reply),
        ...ownFaults.map(({ message }) => message),
      ];
      if (response.status !== 200) failures.push(`${name}: ${response.status} ${JSON.stringify(reply)}`);
      else failures.push(...faults.map((fault) => `${name}: ${fault}`));
    }
    printReport({ suite: "captured images", replayed: captured.length, failures, skipped: [] });
    expect(failures).toEqual([]);
    expect(captured.length).toBeGreaterThan(4);
  });
});
