import { COMMANDS } from "../../gateway/src/cli/commands.ts";
import type { CliHarness } from "../../gateway/src/cli/testing.ts";
import { withNumberedIds } from "./golden.ts";

/** `{org.slug}` is what the first `org` command with --json answered as `slug`. */
const SCRIPT = [
  "org create --name Acme --json",
  "org create --name Globex --plan pro",
  "org create --name Hooli --plan none",
  "org update --org {org.slug} --plan enterprise --efficiency structural --json",
  "org update --org globex --active false",
  "org list",
  "org list --json",
  "key create --org {org.slug} --name One --scopes chat,images --requests-per-minute 5 --in-flight 2 --json",
  "key create --org {org.slug} --name Two",
  "key create --org {org.slug} --name Three --scopes everything",
  "key list --org {org.slug}",
  "key list --org {org.slug} --json",
  "key rotate {key.id} --grace 2h --json",
  "key rotate 00000000-0000-7000-8000-000000000000",
  "key revoke {key.id}",
  "member add --org {org.slug} --email ann@example.com --role owner --name Ann --json",
  "member add --org {org.slug} --email bob@example.com --role admin",
  "member link --email ann@example.com --json",
  "member link --email nobody@example.com",
  "member list --org {org.slug}",
  "member list --org {org.slug} --json",
  "credits grant --org {org.slug} --pool anytime --amount 100 --reference one --json",
  "credits grant --org {org.slug} --pool anytime --amount 100 --reference one --json",
  "credits grant --org {org.slug} --pool subscription --amount 7 --expires-in 30d",
  "credits adjust --org {org.slug} --pool anytime --amount -40 --reason mistake --json",
  "credits adjust --org {org.slug} --pool anytime --amount -1000 --reason mistake",
  "credits undo-expiry --yes --json",
  "ledger verify",
  "ledger verify --json",
  "clock accept --json",
  "models",
  "models --json",
  "models --type video --org {org.slug}",
  "migrate --json",
  "org list --org x",
  "org list extra",
  "org",
  "nothing",
  "--version --json",
] as const;

/** The help of every command, and what a fixed list of commands answers on an empty database. */
export async function recordedCommands(cli: CliHarness): Promise<string> {
  const said: string[] = [];
  for (const argv of [["help"], ...COMMANDS.map(({ path }) => [...path, "--help"])]) {
    said.push(`$ ${argv.join(" ")}\n${(await cli.run(...argv)).out}`);
  }
  const known = new Map<string, string>();
  for (const line of SCRIPT) {
    // What is listed by time has one order.
    await cli.database.advanceClock(1_000);
    const words = line.split(" ").filter((word) => word !== "");
    const { code, out, err } = await cli.run(...words.map((word) => filled(word, known)));
    said.push(`$ ${line}\n${out}${err}(exit ${code})\n`);
    if (!line.endsWith("--json") || code !== 0) continue;
    for (const [name, value] of Object.entries(JSON.parse(out) as object)) {
      const place = `${words[0]}.${name}`;
      if (!known.has(place)) known.set(place, String(value));
    }
  }
  return withoutChance(said.join("\n"));
}

function withoutChance(text: string): string {
  const keys = [...new Set(text.match(/svc_live_\w{43}/g))];
  const lastFour = new RegExp(
    `(?<="last_four":"|…|  )(${keys.map((key) => key.slice(-4)).join("|")})\\b`,
    "g",
  );
  return withNumberedIds(text)
    .replace(lastFour, "####")
    .replace(/svc_live_\w{43}/g, "<key>")
    .replace(/\/link\/[\w-]+/g, "/link/<token>")
    .replace(/"accepted_at":"[^"]+","ahead_ms":\d+/, '"accepted_at":"<now>","ahead_ms":<some>');
}

function filled(word: string, known: ReadonlyMap<string, string>): string {
  return word.replace(/^\{([\w.]+)\}$/, (_, name: string) => known.get(name) ?? `no ${name}`);
}
