import { afterAll, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ProviderFailure } from "../../gateway/src/contract/index.ts";
import { createOutboundFetch } from "../../gateway/src/outbound/index.ts";
import { createAnthropicProvider, createGoogleProvider } from "../../gateway/src/providers/ai-sdk/index.ts";
import { asJson, asList, asText, type Json } from "./ai-sdk-answer.ts";
import { anthropicRequests } from "./ai-sdk-anthropic-request.ts";
import { googleRequests } from "./ai-sdk-google-request.ts";
import { hasFixtures } from "./fixtures-folder.ts";

const FIXTURES = join(import.meta.dir, "..", "..", "..", "shared", "fixtures");

const KINDS = [
  {
    folder: "anthropic",
    path: /\/v1\/messages$/,
    reader: anthropicRequests,
    create: createAnthropicProvider,
  },
  {
    folder: "google",
    path: /\/models\/[^/]+:(streamG|g)enerateContent$/,
    reader: googleRequests,
    create: createGoogleProvider,
  },
] as const;

let received: Json = {};
const server = Bun.serve({
  port: 0,
  async fetch(request) {
    received = asJson(await request.json());
    return new Response(null, { status: 503 });
  },
});
afterAll(() => server.stop(true));

const outbound = createOutboundFetch({
  timeouts: { connectMs: 5_000, firstByteMs: 5_000, idleMs: 5_000 },
  maxBodyBytes: 1 << 20,
  provider: "replay",
});

type Recorded = { readonly id: string; readonly model: string; readonly body: Json };

function readRequests(folder: string, path: RegExp): Recorded[] {
  if (!hasFixtures) return [];
  return readdirSync(join(FIXTURES, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".json"))
    .flatMap((file) => {
      const cassette = asJson(JSON.parse(readFileSync(join(FIXTURES, folder, file), "utf8")));
      return asList(cassette["exchanges"]).flatMap((exchange, index) => {
        const request = asJson(exchange["request"]);
        const url = asText(request["url"]).split("?")[0] ?? "";
        const status = Number(asJson(exchange["response"])["status"]);
        const body = asJson(request["json"]);
        const model = asText(body["model"]) || (/models\/([^/:]+)/.exec(url)?.[1] ?? "");
        const isOurs = path.test(url) && status === 200 && "json" in request && !/tts|image/.test(model);
        return isOurs ? [{ id: `${file}#${index}`, model, body }] : [];
      });
    });
}

for (const { folder, path, reader, create } of KINDS) {
  test.skipIf(!hasFixtures)(`recorded requests to ${folder} reach it through us unchanged`, async () => {
    const baseUrl = `http://127.0.0.1:${server.port}`;
    const { text } = create({ name: folder, kind: folder, baseUrl, apiKey: "key" }, { outbound });
    const faults: string[] = [];
    let [told, left] = [0, 0];
    for (const { id, model, body } of readRequests(folder, path)) {
      const request = reader.decode(body);
      if (request === null) {
        left += 1;
        continue;
      }
      received = {};
      const context = { requestId: "replay", signal: new AbortController().signal };
      const failure = await Array.fromAsync(text?.chat(model, request, context) ?? []).catch(
        (error) => error,
      );
      const [want, got] = [reader.lines(body), reader.lines(received)];
      if (JSON.stringify(want) === JSON.stringify(got)) told += 1;
      else {
        const at = want.findIndex((line, index) => line !== got[index]);
        const why = failure instanceof ProviderFailure ? failure.message : String(failure);
        faults.push(`${id} (${why})\n  want ${want[at]}\n  got  ${got[at]}`.slice(0, 700));
      }
    }
    console.log(
      `replay of requests to ${folder}: ${told} of ${told + faults.length} pass, ` +
        `${left} hold what a client of ours cannot say (hosted tools, uploaded files, pictures in results, cut media)`,
    );
    expect(faults, faults.join("\n")).toEqual([]);
    expect(told > 0).toBe(hasFixtures);
  });
}
