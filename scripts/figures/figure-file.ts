/** Results of a benchmark or a proof, kept so that the tables in the documents are made from them and nothing else. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, release, totalmem, type } from "node:os";
import { join } from "node:path";

export type FigureTable = {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
};

export type FigureFile = {
  readonly name: string;
  /** The command that produces them again. */
  readonly command: string;
  readonly commit: string;
  readonly date: string;
  /** For random runs; null if nothing is random. */
  readonly seed: number | null;
  readonly machine: {
    readonly cpu: string;
    readonly cores: number;
    readonly memoryGb: number;
    readonly system: string;
    readonly bun: string;
  };
  /** Raw, in the units that their names give. */
  readonly figures: unknown;
  /** The same for readers, each table under the name that the documents use. */
  readonly tables: Readonly<Record<string, FigureTable>>;
};

const ROOT = join(import.meta.dir, "..", "..");
export const FIGURES_FOLDER = join(ROOT, "docs", "figures");

/** Writes docs/figures/NAME.json; `npm run figures` then updates the documents. */
export function saveFigures(
  found: Pick<FigureFile, "name" | "command" | "seed" | "figures" | "tables">,
): void {
  const file: FigureFile = {
    name: found.name,
    command: found.command,
    commit: commitOfTree(),
    date: new Date().toISOString().slice(0, 10),
    seed: found.seed,
    machine: {
      cpu: processorName(),
      cores: cpus().length,
      memoryGb: Math.round(totalmem() / 1e9),
      system: `${type()} ${release()}`,
      bun: Bun.version,
    },
    figures: found.figures,
    tables: found.tables,
  };
  mkdirSync(FIGURES_FOLDER, { recursive: true });
  const path = join(FIGURES_FOLDER, `${found.name}.json`);
  writeFileSync(path, `${JSON.stringify(file, null, 2)}\n`);
  console.log(
    `\nWritten to docs/figures/${found.name}.json; \`npm run figures\` puts its tables into the documents.`,
  );
}

export function loadFigures(name: string): FigureFile {
  return JSON.parse(readFileSync(join(FIGURES_FOLDER, `${name}.json`), "utf8")) as FigureFile;
}

/** With a plus sign if the tree differs from it in more than docs/. */
function commitOfTree(): string {
  const git = (...args: string[]) => {
    const { stdout, success } = Bun.spawnSync(["git", ...args], { cwd: ROOT, stderr: "ignore" });
    return success ? stdout.toString().trim() : "";
  };
  const commit = git("rev-parse", "--short", "HEAD");
  if (commit === "") return "unknown";
  return git("status", "--porcelain", "--", ".", ":!docs") === "" ? commit : `${commit}+`;
}

/** The system often reports no name for processors other than x64. */
function processorName(): string {
  const model = cpus()[0]?.model.trim() ?? "";
  return model === "" || model === "unknown" ? `${process.arch} core` : model;
}
