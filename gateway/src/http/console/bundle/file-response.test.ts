import { expect, test } from "bun:test";
import type { Bundle } from "./bundle.ts";
import { fileResponse } from "./file-response.ts";
import { FILES_PATH } from "./manifest.ts";

const textOf = (text: string) => new TextEncoder().encode(text);
const FILE = { bytes: textOf("plain"), brotli: textOf("br"), gzip: textOf("gzip") };

test.each([
  [null, null],
  ["", null],
  ["gzip, deflate, br", "br"],
  ["GZIP", "gzip"],
  ["br;q=0.1", "br"],
  ["br;q=0, gzip", "gzip"],
  ["br ; Q=0.000 , gzip;q=0", null],
  ["brotli, xgzip", null],
])("Accept-Encoding %p gets the content encoding %p", async (accepted, sent) => {
  const bundle = { files: new Map([["app.js", FILE]]) } as unknown as Bundle;
  const response = fileResponse(bundle, `${FILES_PATH}app.js`, accepted);
  expect(response?.headers.get("content-encoding") ?? null).toBe(sent);
  expect(await response?.text()).toBe(sent ?? "plain");
});
