import { type Config, hasCredentials, isLocalAddress } from "../../config/index.ts";
import type { OneTimeLink } from "../../identity/index.ts";
import { DEMO_OWNER_EMAIL, DEMO_SLUG, type Demo } from "./first-start.ts";

/** URL at which a person redeems a one-time link. */
export function linkUrl(config: Pick<Config, "publicUrl">, link: OneTimeLink): string {
  return `${config.publicUrl}/console/link/${link.token}`;
}

/** Width of a terminal. */
const COLUMNS = 80;

type Welcome = {
  /** Null for a process that does background work only. */
  readonly config: Config | null;
  /** For such a process: where it listens for monitoring. */
  readonly healthOrigin?: string | null;
  readonly version: string;
  /** On the first start only. */
  readonly demo: Demo | null;
  /** True if there is no organization at all. */
  readonly isEmpty?: boolean;
  /** True if a demo was created, now or before. */
  readonly hasDemo?: boolean;
};

/** Written once the gateway is up: text for 80 columns, or one line of JSON for the program that started it. */
export function welcome({ wantsJson, ...input }: Welcome & { readonly wantsJson: boolean }): string {
  if (wantsJson) return `${JSON.stringify(welcomeJson(input))}\n`;
  const { config, version, demo, isEmpty = false, hasDemo = false } = input;
  if (config === null) {
    const health = input.healthOrigin
      ? `Health and metrics: ${input.healthOrigin}/healthz, /readyz and /metrics\n`
      : "";
    return `\nBursar ${version} is running as a worker: it takes no calls. Stop with Ctrl-C.\n${health}`;
  }
  const addresses = addressesOf(config);
  const named = [
    ["Console", addresses.console],
    ["Reference", addresses.reference],
    ["API", addresses.api],
    ["Compatible API", addresses.compatible_api],
  ];
  return [
    "",
    `Bursar ${version} is running.`,
    "",
    ...named.map(([name = "", address]) => `  ${name.padEnd(16)}${address}`),
    "",
    ...(demo ? demoLines(config, demo) : isEmpty ? emptyLines(config) : laterLines(config, hasDemo)),
    "Stop with Ctrl-C.",
    "",
  ].join("\n");
}

function addressesOf({ publicUrl }: Config) {
  return {
    console: `${publicUrl}/console`,
    reference: `${publicUrl}/docs`,
    api: `${publicUrl}/functions/v1`,
    compatible_api: `${publicUrl}/v1`,
  };
}

function welcomeJson({ config, healthOrigin, version, demo }: Welcome): Record<string, unknown> {
  if (config === null) {
    return { version, addresses: null, health: healthOrigin ? `${healthOrigin}/healthz` : null, demo: null };
  }
  return { version, addresses: addressesOf(config), demo: demo && demoJson(config, demo) };
}

function demoJson(config: Config, { secret, link, totalCredits }: Demo): Record<string, unknown> {
  return { org: "demo", credits: totalCredits, key: secret, link: link ? linkUrl(config, link) : null };
}

function demoLines(config: Config, demo: Demo): string[] {
  const credits = demo.totalCredits.toLocaleString("en-US");
  return [
    `The organization "demo" is ready, with ${credits} credits.`,
    "API key (shown only once):",
    "",
    `  ${demo.secret}`,
    "",
    ...(demo.link
      ? [
          "Sign in to the console as the owner (one-time link, valid for three days):",
          "",
          `  ${linkUrl(config, demo.link)}`,
          "",
        ]
      : []),
    ...tryLines(config, demo),
    "",
  ];
}

/** A call that works as shown, or what is missing for one. */
function tryLines(config: Config, demo: Demo): string[] {
  const { fast } = demo;
  if (fast === null) {
    return [
      "No text model can be called yet: set a provider's key, such as OPENAI_API_KEY,",
      "and start again.",
    ];
  }
  return [
    `Try it. ${whoPays(config, fast)}:`,
    "",
    `curl ${config.publicUrl}/functions/v1/api-v1-chat \\`,
    `  -H "Authorization: Bearer ${demo.secret}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"model":"${fast.alias}","messages":[{"role":"user","content":"6 times 7?"}]}'`,
  ];
}

/** A key from the shell pays for the first call, or is refused: nobody should have to guess whose it was. */
function whoPays({ providers }: Config, { alias, model, provider }: NonNullable<Demo["fast"]>): string {
  const settings = providers.get(provider);
  if (settings === undefined) return `${alias} is the sandbox here, which answers offline`;
  const { settingNames } = settings;
  const by = hasCredentials(settings) ? settingNames.apiKey : settingNames.baseUrl;
  return `${alias} is ${alias === model ? "a model" : model} of ${provider}, with your ${by}`;
}

/** Empty in production, where nobody expects a demo. */
function noDemoLines(config: Config): string[] {
  if (config.environment === "production") return [];
  if (isLocalAddress(config)) return ["No demo was created, because BURSAR_DEMO=false.", ""];
  return ["No demo: others can reach this address. Set BURSAR_DEMO=true to create one.", ""];
}

function emptyLines(config: Config): string[] {
  const { commandName } = config;
  return [
    "There is no organization yet. To create one, its API key and its owner's link:",
    "",
    `  ${commandName} org create --name NAME`,
    `  ${commandName} key create --org SLUG --name NAME`,
    `  ${commandName} member add --org SLUG --email EMAIL --role owner`,
    ...databaseLines(config),
    "",
    ...noDemoLines(config),
  ];
}

function databaseLines({ commandNeedsDatabaseUrl }: Config): string[] {
  return commandNeedsDatabaseUrl ? ["  (with the same DATABASE_URL as this start)"] : [];
}

function laterLines(config: Config, hasDemo: boolean): string[] {
  const [slug, email] = hasDemo ? [DEMO_SLUG, DEMO_OWNER_EMAIL] : ["SLUG", "EMAIL"];
  const named = [
    ["Another API key:", `${config.commandName} key create --org ${slug} --name NAME`],
    ["Link to set a password:", `${config.commandName} member link --email ${email}`],
  ] as const;
  const beside = named.map(([name, command]) => `${name.padEnd(23)} ${command}`);
  const isNarrow = beside.every((line) => line.length <= COLUMNS);
  const lines = isNarrow ? beside : named.flatMap(([name, command]) => [name, `  ${command}`]);
  return [...lines, ...databaseLines(config), ""];
}
