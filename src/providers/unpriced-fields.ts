import { isObject } from "../kit/index.ts";
import type { WireRequest } from "./contract.ts";
import { untold } from "./foreign-wishes.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Names that are read in no letters but their own, and ask for nothing that has a price or a server of its own. */
const ORDINARY: ReadonlySet<string> = new Set([
  "model",
  "messages",
  "stream",
  "stream_options",
  "max_tokens",
  "max_completion_tokens",
  "temperature",
  "top_p",
  "frequency_penalty",
  "presence_penalty",
  "stop",
  "seed",
  "n",
  "user",
  "response_format",
  "reasoning_effort",
  "tool_choice",
  "parallel_tool_calls",
]);

/** Nothing in it is to be refused, whoever serves it: most requests pass with one look at their names. */
export function isOrdinary(body: Fields): boolean {
  for (const name in body) if (!ORDINARY.has(name)) return false;
  return true;
}

/**
 * Refuses in a client's own body what no price covers where leaving it out would give another kind of answer than was
 * asked for: one that is not spoken, has not searched, was thought about less, or was seen by hosts that the client
 * forbids. The rest is left out in silence. Asked whatever words the request goes on in: it is about what the client
 * wants. `isSearching`: the model searches whatever it is asked; `searchesOwnData`: its server searches what the client
 * names.
 */
export function refuseUnpriced(
  wire: WireRequest,
  { isSearching = false, searchesOwnData = false }: { isSearching?: boolean; searchesOwnData?: boolean } = {},
): void {
  const { body } = wire;
  refuseHostedTools(wire);
  refuseOtherModalities(body);
  const search = isSearching ? null : wantedSearch(body);
  if (search !== null) {
    throw untold(search, "this model's price does not cover web search; leave it out, or search with a tool");
  }
  for (const name of HELPERS) {
    const wanted = body[name];
    if (Array.isArray(wanted) && wanted.length > 0)
      throw untold(name, "this model's price does not cover them; leave them out");
  }
  if (!searchesOwnData) refuseOwnData(body);
  refuseOtherModes(wire);
  if (isPrivate(body["provider"])) {
    throw untold("provider", "where the answer is made cannot be chosen here");
  }
}

const HELPERS = ["plugins", "mcp_servers"];

/** Without them an answer would be from memory; another target of the model may search them. */
function refuseOwnData(body: Fields): void {
  for (const name in body) {
    const sources = body[name];
    if (sources === null || sources === undefined || !isOwnData(plainName(name))) continue;
    if (Array.isArray(sources) && sources.length === 0) continue;
    throw untold(name, "this model's provider does not search them; leave them out");
  }
}

/** Data of the client's own, in the spellings of its versions. */
export function isOwnData(plain: string): boolean {
  return plain === "data_sources" || plain === "datasources";
}

const BEYOND_ASCII = /[^ -~]/;

/** In whatever letters: some servers do not tell them apart, some not even a long ſ from an s. */
export function plainName(name: string): string {
  return (BEYOND_ASCII.test(name) ? name.normalize("NFKC") : name).toLowerCase();
}

/**
 * In any other mode than the usual one a prompt is read and thought about several times over, beyond what is held for it:
 * no limit of the request bounds how often.
 */
function refuseOtherModes({ kind, body: { reasoning, input } }: WireRequest): void {
  if (hasOtherMode(reasoning)) throw untold("reasoning", ONLY_STANDARD);
  if (kind !== "responses" || !Array.isArray(input)) return;
  const isOther = (item: unknown) =>
    isObject(item) && item["type"] === "configuration_update" && hasOtherMode(item["reasoning"]);
  if (input.some(isOther)) throw untold("input", ONLY_STANDARD);
}

const ONLY_STANDARD =
  "this model's price covers no other mode of reasoning than standard; leave the mode out";

function hasOtherMode(reasoning: unknown): boolean {
  return isObject(reasoning) && (reasoning["mode"] ?? "standard") !== "standard";
}

/** Sound and pictures have prices of their own. */
function refuseOtherModalities({ modalities }: Fields): void {
  if (!Array.isArray(modalities) || modalities.every((kind) => kind === "text")) return;
  throw untold("modalities", "this model answers in text only");
}

const SERVED: ReadonlySet<unknown> = new Set(["function", "custom", undefined, null]);

/**
 * Tools that the provider would run itself, at a price of their own. Those of a response are left out where it is written:
 * agents list them unasked.
 */
function refuseHostedTools({ kind, body: { tools } }: WireRequest): void {
  if (kind !== "chat_completions" || !Array.isArray(tools)) return;
  for (const tool of tools) {
    const type = typeof tool === "object" && tool !== null ? (tool as Fields)["type"] : undefined;
    if (SERVED.has(type)) continue;
    throw untold(
      "tools",
      "only tools of type function and custom are taken; hosted tools have no price here",
    );
  }
}

const SEARCH_SETTINGS = ["web_search_options", "web_search"];
const SEARCH_SWITCHES = ["enable_search", "enable_web_search", "use_web_search", "web_search"];

/** The field that asks for a search. */
function wantedSearch(body: Fields): string | null {
  const { search_parameters: parameters } = body;
  if (isObject(parameters) && parameters["mode"] !== "off") return "search_parameters";
  const settings = SEARCH_SETTINGS.find((name) => isObject(body[name]));
  return settings ?? SEARCH_SWITCHES.find((name) => body[name] === true) ?? null;
}

/** A wish about who may see the prompt is not one to pass over in silence. */
function isPrivate(given: unknown): boolean {
  if (typeof given !== "object" || given === null) return false;
  const { data_collection: collection, zdr } = given as Fields;
  return collection === "deny" || zdr === true;
}
