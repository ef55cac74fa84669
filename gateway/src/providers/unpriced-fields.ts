import type { WireRequest } from "../contract/index.ts";
import { isObject } from "../kit/index.ts";
import { unsupported } from "./foreign-options.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Refuses fields of a client's body that our prices do not cover, if leaving them out would give a different kind of
 * answer: without audio, without a search, with less reasoning, or seen by hosts that the client forbids. Other
 * uncovered fields are dropped silently. Applies in whatever wire the request is sent on, since it is about what the
 * client wants. `isSearching`: the model always searches. `searchesOwnData`: its server searches the data sources that
 * the client names.
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
    throw unsupported(
      search,
      "this model's price does not cover web search; leave it out, or search with a tool",
    );
  }
  for (const name of HELPERS) {
    const wanted = body[name];
    if (Array.isArray(wanted) && wanted.length > 0)
      throw unsupported(name, "this model's price does not cover them; leave them out");
  }
  if (!searchesOwnData) refuseOwnData(body);
  refuseOtherModes(wire);
  if (isPrivate(body["provider"])) {
    throw unsupported("provider", "where the answer is made cannot be chosen here");
  }
}

const HELPERS = ["plugins", "mcp_servers"];

/** Without them, the model would answer from memory. Another target of the model may search them. */
function refuseOwnData(body: Fields): void {
  for (const name in body) {
    const sources = body[name];
    if (sources === null || sources === undefined || !isOwnData(plainName(name))) continue;
    if (Array.isArray(sources) && sources.length === 0) continue;
    throw unsupported(name, "this model's provider does not search them; leave them out");
  }
}

/** The client's own data sources, in the spellings of all API versions. */
export function isOwnData(plain: string): boolean {
  return plain === "data_sources" || plain === "datasources";
}

const BEYOND_ASCII = /[^ -~]/;

/** In any case: some servers ignore it, and some even read a long ſ as an s. */
export function plainName(name: string): string {
  return (BEYOND_ASCII.test(name) ? name.normalize("NFKC") : name).toLowerCase();
}

/**
 * Other reasoning modes read and reason about a prompt several times, beyond what is held: no limit of the request
 * bounds how often.
 */
function refuseOtherModes({ kind, body: { reasoning, input } }: WireRequest): void {
  if (hasOtherMode(reasoning)) throw unsupported("reasoning", ONLY_STANDARD);
  if (kind !== "responses" || !Array.isArray(input)) return;
  const isOther = (item: unknown) =>
    isObject(item) && item["type"] === "configuration_update" && hasOtherMode(item["reasoning"]);
  if (input.some(isOther)) throw unsupported("input", ONLY_STANDARD);
}

const ONLY_STANDARD =
  "this model's price covers no other mode of reasoning than standard; leave the mode out";

function hasOtherMode(reasoning: unknown): boolean {
  return isObject(reasoning) && (reasoning["mode"] ?? "standard") !== "standard";
}

/** Audio and image output have their own prices. */
function refuseOtherModalities({ modalities }: Fields): void {
  if (!Array.isArray(modalities) || modalities.every((kind) => kind === "text")) return;
  throw unsupported("modalities", "this model answers in text only");
}

const SERVED: ReadonlySet<unknown> = new Set(["function", "custom", undefined, null]);

/**
 * Tools that the provider would run itself, at an extra price. In Responses requests they are left out when the request
 * is encoded, because agents list them unasked.
 */
function refuseHostedTools({ kind, body: { tools } }: WireRequest): void {
  if (kind !== "chat_completions" || !Array.isArray(tools)) return;
  for (const tool of tools) {
    const type = typeof tool === "object" && tool !== null ? (tool as Fields)["type"] : undefined;
    if (SERVED.has(type)) continue;
    throw unsupported(
      "tools",
      "only tools of type function and custom are taken; hosted tools have no price here",
    );
  }
}

const SEARCH_SETTINGS = ["web_search_options", "web_search"];
const SEARCH_SWITCHES = ["enable_search", "enable_web_search", "use_web_search", "web_search"];

/** The name of the field that asks for a search; null if none does. */
function wantedSearch(body: Fields): string | null {
  const { search_parameters: parameters } = body;
  if (isObject(parameters) && parameters["mode"] !== "off") return "search_parameters";
  const settings = SEARCH_SETTINGS.find((name) => isObject(body[name]));
  return settings ?? SEARCH_SWITCHES.find((name) => body[name] === true) ?? null;
}

/** A restriction on who may see the prompt must not be ignored silently. */
function isPrivate(given: unknown): boolean {
  if (typeof given !== "object" || given === null) return false;
  const { data_collection: collection, zdr } = given as Fields;
  return collection === "deny" || zdr === true;
}
