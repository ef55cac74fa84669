/** Credits per token of the models below, so that a charge is a count of tokens. */
const ONE_PER_TOKEN = 1_000_000;

/** Where an answer's length is of no interest. */
const LIMITS = { context_tokens: 128_000, max_output_tokens: 4_096 };

/**
 * Settings with one model per behaviour of the misbehaving upstream, under the behaviour's own name; `close|ok` is one
 * with two targets, which are asked in turn.
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
    /** It speaks the responses wire, too. */
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

/** A model's id is of fewer characters than what a behaviour may be told. */
export function modelOf(behaviour: string): string {
  return behaviour.replace(/[^A-Za-z0-9._:/-]/g, "_");
}

/** `biller/ok` is `ok` at a provider that bills a call whose client left all the same. */
function targetOf(name: string): { provider: string; model: string } {
  const isBilled = name.startsWith(BILLED);
  return { provider: isBilled ? "biller" : "acme", model: isBilled ? name.slice(BILLED.length) : name };
}

const BILLED = "biller/";

/** Must never be seen by a client. */
export const UPSTREAM_KEY = "sk-canary-4f2a9c81d7";
