/**
 * `npm run release -- --version VERSION`: writes the version wherever it stands, checks and packs everything, and makes
 * the commit and its tag. What is then published are the tarballs in `dist/`. Tests ran before, on what is committed.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandOptions, refuse } from "../command-options.ts";
import { runChecks } from "../run-checks.ts";
import { makeSbom } from "../supply-chain/sbom.ts";
import { packAll } from "./pack-all.ts";

const ROOT = join(import.meta.dir, "..", "..");
const OWN_VERSION =
  /("name": "(?:bursar|@bursar\/\w+)",(?:\n\s*"description": .*,)?\n\s*"version": )"[\d.]+"/g;
const VERSIONED = ["gateway", "sandbox", "compaction", "console"].map((part) => `${part}/package.json`);
const USAGE = `Usage: npm run release -- --version VERSION [--dry-run]
  --dry-run   does all but the commit and the tag, and puts the files back as they were`;

const values = commandOptions(USAGE, { version: { type: "string" }, "dry-run": { type: "boolean" } });
const { version = "" } = values;
if (!/^\d+\.\d+\.\d+$/.test(version)) refuse(`There is no version ${JSON.stringify(version)}.\n\n${USAGE}`);
if (git("status", "--porcelain") !== "") refuse("Commit first: a release is made of what is committed.");
if (!read("CHANGELOG.md").includes(`\n## ${version}`)) refuse(`CHANGELOG.md has no notes on ${version}.`);

const edits: readonly [path: string, from: RegExp, to: string][] = [
  ...[...VERSIONED, "bun.lock"].map((path): [string, RegExp, string] => [
    path,
    OWN_VERSION,
    `$1"${version}"`,
  ]),
  ["deploy/chart/Chart.yaml", /(ersion:) [\d.]+$/gm, `$1 ${version}`],
  ["README.md", /Bursar [\d.]+ is running/, `Bursar ${version} is running`],
  ["CHANGELOG.md", /^## (\S+) \(unreleased\)$/m, `## $1 (${new Date().toISOString().slice(0, 10)})`],
];
let isReleased = false;
try {
  for (const [path, from, to] of edits) write(path, read(path).replace(from, to));
  write("docs/sbom.json", makeSbom(ROOT));
  if ((await runChecks()).length > 0) throw new Error("The tree is not in order (see above).");
  await packAll();
  isReleased = !values["dry-run"];
} finally {
  if (!isReleased) git("checkout", "--", ".");
}
if (!isReleased)
  console.log(`Version ${version} could be released: its files are in dist/. Nothing else was kept.`);
else {
  git("commit", "--all", "--message", `release: ${version}`);
  git("tag", "--annotate", `v${version}`, "--message", `Bursar ${version}`);
  console.log(
    `Committed and tagged v${version}. Publish what is in dist/: sandbox and compaction first, then bursar.`,
  );
}

function git(...args: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["git", ...args], { cwd: ROOT });
  if (exitCode !== 0) throw new Error(`git ${args[0]} failed: ${stderr}`);
  return `${stdout}`.trim();
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

function write(path: string, text: string): void {
  writeFileSync(join(ROOT, path), text);
}
