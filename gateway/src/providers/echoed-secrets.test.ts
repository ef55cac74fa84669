import { afterAll, describe, expect, test } from "bun:test";
import { bedrockWire } from "../../../test/replay/ai-sdk-bedrock-wire.ts";
import { ProviderFailure } from "../contract/index.ts";
import { callOf } from "./ai-sdk/testing.ts";
import { createProviders } from "./registry.ts";
import type { ProviderSettings } from "./settings.ts";
import { VENDORS } from "./vendors.ts";

/** They do not look like keys: only the sender can know that they are secret. */
const KEY = "plain_pass-word";
const TOKEN = "blue_canary_TEAM";

/** A provider that echoes the headers it received, in the manner that the path names. */
const server = Bun.serve({
  port: 0,
  fetch(request) {
    const said = [...request.headers].map(([name, value]) => `${name}=${value}`).join(" ");
    const secrets = said.match(/\S*(?:plain_pass-word|blue_canary_TEAM)\S*/g) ?? [];
    const message = `not allowed: ${secrets.join(" ")} was sent`;
    const body = {
      type: "error",
      error: { type: "invalid_request_error", message, code: 400, status: "INVALID_ARGUMENT" },
      message,
    };
    const { pathname } = new URL(request.url);
    switch (pathname.split("/")[1]) {
      case "stream":
        if (pathname.endsWith("/converse-stream")) return bedrockWire.stream([{ validationException: body }]);
        return new Response(`event: error\ndata: ${JSON.stringify(body)}\n\n`, {
          headers: { "content-type": "text/event-stream" },
        });
      case "good":
        return Response.json(body);
      default:
        return Response.json(body, { status: 400 });
    }
  },
});
afterAll(() => server.stop(true));

function providersAt(manner: string) {
  const settings = [...Object.keys(VENDORS)].map((kind): ProviderSettings => {
    const baseUrl = `http://127.0.0.1:${server.port}/${manner}/v1`;
    const headers = { "x-team-token": TOKEN, "x-gateway": `Bearer ${TOKEN}_2` };
    return { name: kind, kind, baseUrl, apiKey: KEY, headers };
  });
  const timeouts = { connectMs: 2_000, firstByteMs: 2_000, idleMs: 2_000 };
  const providers = createProviders(new Map(settings.map((each) => [each.name, each])), {
    timeouts,
  });
  return providers.filter(({ text }) => text !== undefined);
}

describe("the public message of a failure does not contain the credentials of the call", () => {
  for (const manner of ["refused", "stream", "good"]) {
    test.each(providersAt(manner).map((provider) => [provider.name, provider] as const))(
      `${manner}: %s`,
      async (_name, provider) => {
        const failure = await callOf(provider);
        if (!(failure instanceof ProviderFailure)) throw new Error("the call should have failed");
        expect(failure.publicMessage).not.toContain(KEY);
        expect(failure.publicMessage).not.toContain(TOKEN);
        if (manner === "refused") expect(failure.publicMessage).toContain("not allowed: ");
      },
    );
  }
});
