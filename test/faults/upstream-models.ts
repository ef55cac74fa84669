/** Prices the models below at one credit per token, so that a charge is a token count. */
const ONE_PER_TOKEN = 1_000_000;

/** For tests that do not depend on these limits. */
const LIMITS = { context_tokens: 128_000, max_output_tokens: 4_096 };

/**
 * Settings with one model per behaviour of the misbehaving upstream (`test/upstream/`), named after the behaviour.
 * `close|ok` is a model with two targets, which are tried in turn.
 */
export function settingsFor(
  baseUrl: string,
  behaviours: readonly string[],
  {
    timeouts = {},
    limits = LIMITS,
    responses = false,
  }: {
    readonly timeouts?: Readonly<Record<string, number>>;
    readonly limits?: typeof LIMITS;
    /** True if the provider speaks the responses wire too. */
    readonly responses?: boolean;
  } = {},
): object {
  const provider = { kind: "openai-wire", base_url: baseUrl, api_key: UPSTREAM_KEY, responses };
  return {
    providers: {
      acme: { ...provider, on_disconnect: "stop" },
      biller: { ...provider, on_disconnect: "drain" },
    },
    models: behaviours.map((behaviour) => ({
      id: modelOf(behaviour),
      name: "Upstream",
      type: "text",
      targets: behaviour.split("|").map(targetOf),
      credits_per_request: 1,
      price: { input_per_million: ONE_PER_TOKEN, output_per_million: ONE_PER_TOKEN },
      limits,
    })),
    timeouts,
  };
}

/** Behaviours may contain characters that a model's id may not. */
export function modelOf(behaviour: string): string {
  return behaviour.replace(/[^A-Za-z0-9._:/-]/g, "_");
}

/** `biller/ok` is `ok` at a provider that bills a call even if its client disconnects. */
function targetOf(name: string): { provider: string; model: string } {
  const isBilled = name.startsWith(BILLED);
  return { provider: isBilled ? "biller" : "acme", model: isBilled ? name.slice(BILLED.length) : name };
}

const BILLED = "biller/";

/** Must never reach a client. */
export const UPSTREAM_KEY = "sk-canary-4f2a9c81d7";
