/** Credits per token of the models below, so that a charge is a count of tokens. */
const ONE_PER_TOKEN = 1_000_000;

/** Settings with one model per behaviour of the misbehaving upstream, under the behaviour's own name. */
export function settingsFor(
  baseUrl: string,
  behaviours: readonly string[],
  timeouts: Readonly<Record<string, number>>,
): object {
  return {
    providers: {
      acme: { kind: "openai-wire", base_url: baseUrl, api_key: UPSTREAM_KEY, on_disconnect: "stop" },
      biller: { kind: "openai-wire", base_url: baseUrl, api_key: UPSTREAM_KEY, on_disconnect: "drain" },
    },
    models: behaviours.map((behaviour) => ({
      id: behaviour,
      name: "Upstream",
      type: "text",
      targets: [targetOf(behaviour)],
      credits_per_request: 1,
      price: { input_per_million: ONE_PER_TOKEN, output_per_million: ONE_PER_TOKEN },
      limits: { context_tokens: 128_000, max_output_tokens: 4_096 },
    })),
    timeouts,
  };
}

/** `biller/ok` is `ok` at a provider that bills a call whose client left all the same. */
function targetOf(name: string): { provider: string; model: string } {
  const isBilled = name.startsWith(BILLED);
  return { provider: isBilled ? "biller" : "acme", model: isBilled ? name.slice(BILLED.length) : name };
}

const BILLED = "biller/";

/** Must never be seen by a client. */
export const UPSTREAM_KEY = "sk-canary-4f2a9c81d7";
