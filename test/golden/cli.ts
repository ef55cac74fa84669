import { COMMANDS } from "../../gateway/src/cli/run-cli.ts";
import type { CliHarness } from "../../gateway/src/cli/testing.ts";
import { readProjectFile } from "../tidy/source-tree.ts";
import { withNumberedIds } from "./golden.ts";

/** One per line; `{org.slug}` is what the first `org` command with --json answered as `slug`. */
const SCRIPT = readProjectFile("test/golden/commands.txt").trim().split("\n");

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
