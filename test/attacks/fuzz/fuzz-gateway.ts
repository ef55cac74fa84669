import { httpDeps } from "../../../gateway/src/app/http-deps.ts";
import { type ApiRoute, createApp } from "../../../gateway/src/http/index.ts";
import { type ConsoleClient, signInToConsole } from "../../console-client.ts";
import { writeSettings } from "../../faults/settings-file.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../harness.ts";
import { startAgreeableUpstream } from "./agreeable-upstream.ts";

/**
 * A gateway in which only a bug of ours can fail: providers answer, credits last, and no rate limit is ever reached.
 */
export type FuzzGateway = {
  readonly gateway: TestGateway;
  readonly own: TestOrganization;
  readonly routes: readonly ApiRoute[];
  readonly owner: ConsoleClient;
  /** Number of calls that reached a provider. */
  upstreamCalls(): number;
  /** Models that serve this kind of route immediately. */
  modelsFor(route: ApiRoute): readonly string[];
  close(): Promise<void>;
};

/** One provider per wire, so that every translation of a prompt is covered. */
const WIRES = ["openai-wire", "anthropic", "google", "cohere", "bedrock", "mistral"] as const;
const TEXT_LIMITS = { context_tokens: 200_000, max_output_tokens: 4_096, tokens_per_image: 1_000 };
const PLAN = { usd: 0, monthly_credits: 0, requests_per_minute: 1_000_000, in_flight: 10_000, video_jobs: 3 };

export function fuzzSettings(baseUrl: string): object {
  const shared = { credits_per_request: 1 };
  const target = (provider: string) => [{ provider, model: "m" }];
  return {
    plans: { unbounded: PLAN },
    providers: Object.fromEntries(
      WIRES.map((kind) => [
        `to-${kind}`,
        {
          ...{ kind, base_url: baseUrl, api_key: "sk-upstream-canary" },
          ...(kind === "bedrock" ? { region: "us-east-1" } : {}),
        },
      ]),
    ),
    models: [
      ...WIRES.map((kind) => ({
        ...{ ...shared, id: `fuzz-${kind}`, name: kind, type: "text", targets: target(`to-${kind}`) },
        capabilities: ["tools", "images", "files", "reasoning", "structured_output"],
        price: { input_per_million: 1, output_per_million: 1 },
        limits: TEXT_LIMITS,
      })),
      {
        ...{ ...shared, id: "fuzz-image", name: "Image", type: "image", targets: target("to-openai-wire") },
        price: { units: { "1k": 1 } },
        limits: { aspect_ratios: ["1:1", "16:9"] },
      },
      {
        ...{ ...shared, id: "fuzz-voice", name: "Voice", type: "audio", audio_kind: "speech" },
        targets: target("to-openai-wire"),
        price: { per_thousand_characters: 1 },
        limits: { max_characters: 32_000, voices: ["ava", "ben"] },
      },
    ],
  };
}

export async function startFuzzGateway(): Promise<FuzzGateway> {
  const upstream = startAgreeableUpstream();
  const settings = writeSettings(fuzzSettings(upstream.baseUrl));
  const gateway = await startTestGateway(
    { ...settings.environment, TRUSTED_PROXIES: "127.0.0.1" },
    { runsVideoJobs: false },
  );
  const own = await gateway.found({ plan: "unbounded", credits: 1_000_000_000 });
  await own.addMember("owner@example.com", "owner");
  const models: Readonly<Record<string, readonly string[]>> = {
    chat: ["sandbox-chat", ...WIRES.map((kind) => `fuzz-${kind}`)],
    images: ["fuzz-image"],
    audio: ["fuzz-voice"],
    video: ["sandbox-video"],
  };
  return {
    gateway,
    own,
    routes: createApp(httpDeps(gateway.services, gateway.origin)).routes,
    owner: await signInToConsole(gateway, "owner@example.com"),
    upstreamCalls: () => upstream.calls,
    modelsFor: ({ scope }) => models[scope] ?? [],
    async close() {
      await gateway.close();
      await upstream.close();
      settings.remove();
    },
  };
}
