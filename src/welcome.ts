import type { Config } from "./config.ts";
import { DEMO_OWNER_EMAIL, type Demo } from "./first-start.ts";
import type { OneTimeLink } from "./identity/index.ts";

/** Where a person redeems a one-time link. */
export function linkUrl(config: Pick<Config, "publicUrl">, link: OneTimeLink): string {
  return `${config.publicUrl}/console/link/${link.token}`;
}

/** What a person reads when the gateway is up. `demo` is there on the first start only. */
export function welcome(input: { config: Config; version: string; demo: Demo | null }): string {
  const { config, demo } = input;
  const url = config.publicUrl;
  const addresses = [
    ["Console", `${url}/console`],
    ["Reference", `${url}/docs`],
    ["API", `${url}/functions/v1`],
    ["Compatible API", `${url}/v1`],
  ];
  const lines = [
    "",
    `Bursar ${input.version} is running.`,
    "",
    ...addresses.map(([name = "", address]) => `  ${name.padEnd(16)}${address}`),
    "",
    ...(demo ? demoLines(config, demo) : laterLines(config)),
    "Stop with Ctrl-C.",
    "",
  ];
  return lines.map((line) => (line === "" ? "" : `  ${line}`)).join("\n");
}

/** The same for a process that does background work only. */
export function welcomeWorker(version: string): string {
  return `\n  Bursar ${version} works in the background: it serves no address. Stop with Ctrl-C.\n`;
}

function demoLines(config: Config, demo: Demo): string[] {
  const credits = demo.totalCredits.toLocaleString("en-US");
  return [
    `The organization "demo" is ready, with ${credits} credits. Its API key, shown only now:`,
    "",
    `  ${demo.secret}`,
    "",
    ...(demo.link
      ? [
          "Sign in to the console as its owner (once, within three days):",
          "",
          `  ${linkUrl(config, demo.link)}`,
          "",
        ]
      : []),
    ...tryLines(config, demo),
    "",
  ];
}

/** A call that works as it stands, or what it takes to have one. */
function tryLines(config: Config, demo: Demo): string[] {
  if (!config.sandbox && config.providers.size === 0) {
    return ["No model can be called yet: set a provider's key, such as OPENAI_API_KEY, and start again."];
  }
  return [
    "Try it:",
    "",
    `  curl ${config.publicUrl}/functions/v1/api-v1-chat \\`,
    `    -H "Authorization: Bearer ${demo.secret}" \\`,
    `    -H "Content-Type: application/json" \\`,
    `    -d '{"model":"${config.aliasPrefix}fast","messages":[{"role":"user","content":"What is 6 times 7?"}]}'`,
  ];
}

function laterLines(config: Config): string[] {
  if (!config.demo) return [];
  return [
    "Another API key:      bin/bursar key create --org demo --name NAME",
    `Another sign-in link: bin/bursar member link --email ${DEMO_OWNER_EMAIL}`,
    "",
  ];
}
