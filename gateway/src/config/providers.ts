import { isObject } from "../kit/index.ts";
import { type AwsKeys, readCredentials, type ServiceAccount } from "./credentials.ts";
import type { EnvReader } from "./env.ts";
import type { Mapping } from "./file.ts";
import { createEntryReader, PROVIDER_FIELDS, type ProviderField } from "./provider-entry.ts";
import { refuseUnknown } from "./schema.ts";

/** How a provider is reached, as configured by the operator. The provider registry interprets the name. */
export type ProviderSettings = {
  readonly name: string;
  /** Null if the name implies it. */
  readonly kind: string | null;
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
  readonly awsKeys?: AwsKeys;
  readonly serviceAccount?: ServiceAccount;
  /** Names of the settings for its key and its URL, for whoever has to correct them. */
  readonly settingNames: { readonly apiKey: string; readonly baseUrl: string };
  readonly headers?: Readonly<Record<string, string>>;
  readonly onDisconnect?: "stop" | "drain";
  readonly apiVersion?: string;
  readonly region?: string;
  readonly project?: string;
  readonly streamUsage?: boolean;
  readonly maxTokensField?: "max_tokens" | "max_completion_tokens";
  readonly responses?: boolean;
  readonly thinksBeyondLimit?: boolean;
};

/** Whether calls to it carry anything that proves who we are. */
export function hasCredentials({ apiKey, awsKeys, serviceAccount }: ProviderSettings): boolean {
  return apiKey !== null || awsKeys !== undefined || serviceAccount !== undefined;
}

/** What the settings depend on in a kind of provider. */
type VendorSettings = {
  /** What it makes; speakers of chat completions make text as well. */
  readonly makes: "chat" | "text" | "media";
  /** A key or a URL in the environment (`OPENAI_API_KEY`, `OPENAI_BASE_URL` …) is not enough. */
  readonly needsEntry?: boolean;
  readonly needsAddress?: boolean;
  /** The vendor's own name for the key, if that is not `NAME_API_KEY`: used if the other is not set. */
  readonly otherKeyName?: string;
  /** Fields of its entry that hardly anybody else uses. */
  readonly takes?: readonly string[];
};
/** The kinds of providers there are. */
export type Vendors = Readonly<Record<string, VendorSettings>>;

const OF_CHAT: readonly string[] = ["stream_usage", "max_tokens_field", "responses", "thinks_beyond_limit"];

/** Who takes a field that only some kinds use, which the others would silently ignore; null if all do. */
function takersOf(
  field: ProviderField,
  vendors: Vendors,
): { takes(kind: string): boolean; who: string } | null {
  const makerOf = (kind: string) => vendors[kind]?.makes;
  if (field === "on_disconnect")
    return { takes: (kind) => makerOf(kind) !== "media", who: "those that make text" };
  if (OF_CHAT.includes(field)) {
    const who = "those that speak chat completions, such as openai-wire, azure, openai and groq";
    return { takes: (kind) => makerOf(kind) === "chat", who };
  }
  const kinds = Object.keys(vendors).filter((kind) => vendors[kind]?.takes?.includes(field));
  return kinds.length === 0 ? null : { takes: (kind) => kinds.includes(kind), who: kinds.join(" and ") };
}

/** The kinds that need no entry in the settings file. */
export function namedKinds(vendors: Vendors): readonly string[] {
  return Object.keys(vendors).filter((kind) => !vendors[kind]?.needsEntry);
}

/** The kind of our own vendor for tests, and the name of the one with a switch of its own. */
export const SANDBOX = "sandbox";
const NAME = /^[a-z][a-z0-9_-]{0,63}$/;

/**
 * An entry of the file completely replaces what the environment says about that provider: mixing the two could send a
 * key from somebody's shell to a URL that it was never meant for.
 */
export function readProviders(
  env: EnvReader,
  given: unknown,
  { vendors, problems }: { readonly vendors: Vendors; readonly problems: string[] },
): ReadonlyMap<string, ProviderSettings> {
  const providers = new Map<string, ProviderSettings>();
  for (const name of namedKinds(vendors)) {
    const otherName = vendors[name]?.otherKeyName;
    const otherKey = otherName === undefined ? null : env.secret(otherName, 1);
    const keyName = `${name.toUpperCase()}_API_KEY`;
    const addressName = `${name.toUpperCase()}_BASE_URL`;
    const key = env.secret(keyName, 1);
    const apiKey = key ?? otherKey;
    const baseUrl = env.httpUrl(addressName);
    if (!apiKey && !baseUrl) continue;
    const isOther = key === null && otherKey !== null && otherName !== undefined;
    const settingNames = { apiKey: isOther ? otherName : keyName, baseUrl: addressName };
    providers.set(name, Object.freeze({ name, kind: null, baseUrl, apiKey, settingNames }));
  }
  if (given === undefined || given === null) return providers;
  if (!isObject(given)) {
    problems.push("providers: must be a mapping of names");
    return providers;
  }
  for (const [name, entry] of Object.entries(given)) {
    const provider = readProvider({ name, entry, vendors, problems });
    if (provider) providers.set(name, Object.freeze(provider));
  }
  return providers;
}

function readProvider(input: {
  readonly name: string;
  readonly entry: unknown;
  readonly vendors: Vendors;
  readonly problems: string[];
}): ProviderSettings | null {
  const { name, entry, vendors, problems } = input;
  const path = `providers.${name}`;
  if (!NAME.test(name) || name === SANDBOX) {
    problems.push(
      `${path}: must be a name of lower-case letters, digits and - _ (${SANDBOX} is Bursar's own)`,
    );
    return null;
  }
  if (!isObject(entry)) {
    problems.push(`${path}: must be a mapping of ${PROVIDER_FIELDS.slice(0, 3).join(", ")} …`);
    return null;
  }
  refuseUnknown({ path, given: entry, known: PROVIDER_FIELDS, problems });
  const kinds = Object.keys(vendors);
  const named = kinds.find((kind) => kind === name);
  const kind = createEntryReader(path, entry, problems).oneOf("kind", kinds, {
    optional: named !== undefined,
  });
  const spoken = kind ?? named;
  const used = withoutUnused({ path, entry, kind: spoken, vendors, problems });
  const read = createEntryReader(path, used, problems);
  const vendor = spoken === undefined ? undefined : vendors[spoken];
  const needsAddress = vendor?.needsAddress === true;
  const { keyField, project, ...credentials } = readCredentials({ entry: used, read, path, problems });
  const settings = {
    name,
    kind: kind ?? null,
    baseUrl: read.address("base_url", { optional: !needsAddress }),
    ...credentials,
    settingNames: { apiKey: `${path}.${keyField}`, baseUrl: `${path}.base_url` },
    ...given("headers", read.headers("headers")),
    ...given("onDisconnect", read.oneOf("on_disconnect", ["stop", "drain"], { optional: true })),
    ...given("apiVersion", read.word("api_version")),
    ...given("region", read.word("region")),
    ...given("project", read.word("project") ?? project),
    ...given("streamUsage", read.flag("stream_usage")),
    ...given(
      "maxTokensField",
      read.oneOf("max_tokens_field", ["max_tokens", "max_completion_tokens"], { optional: true }),
    ),
    ...given("responses", read.flag("responses")),
    ...given("thinksBeyondLimit", read.flag("thinks_beyond_limit")),
  };
  // The project of a key file that could not be read is unknown.
  const isUnread = used["service_account_file"] !== undefined && settings.serviceAccount === undefined;
  if (vendor?.takes?.includes("project") && !isUnread) checkPlace(settings, path, problems);
  // No adapter could be created from it, and the doctor continues with what could be read.
  const isReachable = spoken !== undefined && (settings.baseUrl !== null || !needsAddress);
  return isReachable ? settings : null;
}

/** Only an address with a project has a region in it, and only a key makes do without one. */
function checkPlace(settings: ProviderSettings, path: string, problems: string[]): void {
  const { baseUrl, project, region, serviceAccount } = settings;
  if (baseUrl !== null || project !== undefined) return;
  if (serviceAccount !== undefined)
    problems.push(`${path}.project: must be set, since the service account's key file names none`);
  else if (region !== undefined && region !== "global")
    problems.push(`${path}.region: has no effect without project`);
}

/** Keeps the fields that the kind uses; reports every other one as a problem, whatever its value. */
function withoutUnused(input: {
  readonly path: string;
  readonly entry: Mapping;
  readonly kind: string | undefined;
  readonly vendors: Vendors;
  readonly problems: string[];
}): Mapping {
  const { path, entry, kind, vendors, problems } = input;
  if (kind === undefined) return entry;
  const unused = PROVIDER_FIELDS.filter((field) => {
    if (entry[field] === undefined) return false;
    const takers = takersOf(field, vendors);
    if (takers === null || takers.takes(kind)) return false;
    problems.push(`${path}.${field}: has no effect for the kind ${kind}; it is for ${takers.who}`);
    return true;
  });
  return Object.fromEntries(
    Object.entries(entry).filter(([field]) => !unused.some((each) => each === field)),
  );
}

/** Leaves out fields that the file does not set. */
function given<const Name extends keyof ProviderSettings, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [Key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [Key in Name]?: Value });
}
