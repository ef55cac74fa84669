import type { MisbehavingUpstream } from "../upstream/misbehaving-upstream.ts";
import type { Client } from "./clients/index.ts";

const FORMS = ["ask", "stream"] as const;

/** One client, one of its two ways to ask, and a model that no other cell uses. */
export type Cell = { readonly client: Client; readonly form: (typeof FORMS)[number]; readonly model: string };

export type FaultRow = {
  readonly behaviour: string;
  /** The upstream speaks the responses wire too, so requests on that wire are passed through. */
  readonly speaksResponses?: boolean;
};

/**
 * Settings in which every client meets every behaviour at its own target: a target that fails often is avoided for a
 * while, and a shared one would show a client that instead of the fault.
 */
export function faultSettings(
  upstream: MisbehavingUpstream,
  rows: readonly FaultRow[],
  { clients, timeouts = {}, maxOutputTokens = 4_096 }: FaultOptions,
): object {
  const providers = rows.map((row) => [
    providerOf(row),
    {
      kind: "openai-wire",
      base_url: upstream.as(row.behaviour),
      api_key: UPSTREAM_KEY,
      responses: row.speaksResponses === true,
    },
  ]);
  const models = rows.flatMap((row) =>
    cellsOf(row, clients).map(({ model }) => ({
      id: model,
      name: "Upstream",
      type: "text",
      targets: [{ provider: providerOf(row), model }],
      credits_per_request: 1,
      price: { input_per_million: ONE_PER_TOKEN, output_per_million: ONE_PER_TOKEN },
      limits: { context_tokens: 128_000, max_output_tokens: maxOutputTokens },
    })),
  );
  return { providers: Object.fromEntries(providers), models, timeouts };
}

type FaultOptions = {
  readonly clients: readonly Client[];
  readonly timeouts?: Readonly<Record<string, number>>;
  readonly maxOutputTokens?: number;
};

/** Chat clients do not notice whether the upstream speaks responses, so those rows are for responses clients only. */
export function cellsOf(row: FaultRow, clients: readonly Client[]): readonly Cell[] {
  return clients
    .filter(({ wire }) => row.speaksResponses !== true || wire === "responses")
    .flatMap((client, at) =>
      FORMS.map((form) => ({ client, form, model: `${providerOf(row)}-${at}-${form}` })),
    );
}

function providerOf({ behaviour, speaksResponses }: FaultRow): string {
  return `${speaksResponses === true ? "both" : "chat"}-${behaviour.replaceAll(/[^a-z0-9]/g, "-")}`;
}

const ONE_PER_TOKEN = 1_000_000;

/** Must never reach a client. */
const UPSTREAM_KEY = "sk-canary-4f2a9c81d7";
