/**
 * `npm run attacks`: runs every test that the table of attacks names, on its own PostgreSQL, prints how many cases each
 * attack has and saves that as docs/figures/attacks.json. Exits with 1 if one of them fails or did not run. With
 * `--list`, runs and saves nothing: it prints which files prove each attack.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandOptions } from "../../scripts/command-options.ts";
import { saveFigures } from "../../scripts/figures/figure-file.ts";
import { startTestServer } from "../../scripts/test-server.ts";
import type { AttackRow } from "./rows/row.ts";
import { ATTACKS } from "./rows.ts";
import { type RanTest, readJunit, titlePattern } from "./title-pattern.ts";

const ROOT = join(import.meta.dir, "..", "..");
const TEST_TIMEOUT_MS = 60_000;
const USAGE = `Usage: npm run attacks [-- OPTIONS]
  --list    runs nothing: which files prove each attack`;

const files = [
  ...new Set(ATTACKS.flatMap(({ rows }) => rows.flatMap(({ proofs }) => proofs.map(([file]) => file)))),
];
const { list: isList } = commandOptions(USAGE, { list: { type: "boolean", default: false } });
const ran = isList ? [] : await runTests();
const byFile = Map.groupBy(ran, ({ file }) => file);
const results = ATTACKS.flatMap(({ name, rows }) => rows.map((row) => ({ group: name, ...resultOf(row) })));
const header = ["attack", "test cases", "tested by"];
const tables = Object.fromEntries(
  ATTACKS.map(({ name }) => [
    name.slice(0, 1),
    {
      header,
      rows: results
        .filter(({ group }) => group === name)
        .map(({ attack, cases, proofs }) => [
          attack,
          String(cases),
          proofs.map((file) => `\`${file}\``).join(", "),
        ]),
    },
  ]),
);
const wrong = results.filter(({ problems }) => problems.length > 0);
for (const { group, attack, cases, proofs } of results)
  console.log(
    isList
      ? `${group.padEnd(20)} ${attack}\n${proofs.map((file) => `${" ".repeat(21)}${file}\n`).join("")}`
      : `${group.padEnd(20)} ${String(cases).padStart(5)}  ${attack}`,
  );
for (const { attack, problems } of wrong) console.log(`\nNot proved: ${attack}\n  ${problems.join("\n  ")}`);
const tried = isList ? "" : `, ${ran.length} tests tried, ${wrong.length} not proved`;
console.log(`\n${results.length} attacks in ${files.length} files${tried}`);
if (!isList && wrong.length === 0)
  saveFigures({
    name: "attacks",
    command: "npm run attacks",
    seed: null,
    figures: results,
    tables,
  });
process.exit(wrong.length === 0 ? 0 : 1);

function resultOf({ attack, proofs }: AttackRow) {
  const problems: string[] = [];
  let cases = 0;
  for (const [file, title] of proofs) {
    const pattern = titlePattern(title);
    const found = (byFile.get(file) ?? []).filter(({ names }) => names.some((name) => pattern.test(name)));
    if (found.length === 0 && !isList) problems.push(`did not run: ${file}: ${title}`);
    for (const { names, passed } of found)
      if (!passed) problems.push(`failed or skipped: ${file}: ${names[0]}`);
    cases += found.length;
  }
  return { attack, cases, proofs: [...new Set(proofs.map(([file]) => file))], problems };
}

async function runTests(): Promise<readonly RanTest[]> {
  const folder = mkdtempSync(join(tmpdir(), "bursar-attacks-"));
  const report = join(folder, "junit.xml");
  const server = await startTestServer();
  try {
    const child = Bun.spawn(
      [
        ...[process.execPath, "test", "--parallel", `--timeout=${TEST_TIMEOUT_MS}`],
        ...["--reporter=junit", `--reporter-outfile=${report}`],
        ...files.map((file) => `./${file}`),
      ],
      {
        cwd: ROOT,
        // This variable enables tests that wait for limits of the runtime. They are too slow for every test run, but
        // here a test that is left out proves nothing.
        env: { ...process.env, BURSAR_TEST_DATABASE_URL: server.url, BURSAR_TEST_ATTACKS: "1" },
        ...{ stdin: "ignore", stdout: "ignore", stderr: "ignore" },
      },
    );
    await child.exited;
    return readJunit(readFileSync(report, "utf8"));
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
