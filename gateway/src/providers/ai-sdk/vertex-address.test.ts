import { expect, test } from "bun:test";
import { vertexBaseUrl } from "./google.ts";

test.each([
  [{}, "aiplatform.googleapis.com/v1/publishers/google"],
  [{ project: "p" }, "aiplatform.googleapis.com/v1/projects/p/locations/global/publishers/google"],
  [
    { project: "p", region: "europe-west4" },
    "europe-west4-aiplatform.googleapis.com/v1/projects/p/locations/europe-west4/publishers/google",
  ],
  [
    { project: "p", region: "eu" },
    "aiplatform.eu.rep.googleapis.com/v1/projects/p/locations/eu/publishers/google",
  ],
  [
    { project: "p", region: "us" },
    "aiplatform.us.rep.googleapis.com/v1/projects/p/locations/us/publishers/google",
  ],
])("Vertex with %p is called at %s", (place, address) => {
  const settings = { name: "vertex", kind: null, baseUrl: null, apiKey: null, ...place };
  expect(vertexBaseUrl(settings)).toBe(`https://${address}`);
});
