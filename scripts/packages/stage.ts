import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { BUILT_VIEWER, readScript } from "../../gateway/src/http/api-docs/viewer-file.ts";
import { BUILT_CONSOLE } from "../../gateway/src/http/console/bundle/bundle.ts";
import { loadSoundBank, SOUND_FONT } from "../../sandbox/src/music/sound-bank.ts";
import { STYLES } from "../../sandbox/src/music/styles/styles.ts";
import { FONT_FILES } from "../../sandbox/src/pictures/finish/fonts.ts";
import { BUN_VERSION } from "../find-bun.mjs";
import { makeNotices } from "../supply-chain/notices.ts";

const ROOT = join(import.meta.dir, "..", "..");
const SCRIPTS = join(ROOT, "scripts");
const PACKAGES = join(ROOT, "sandbox", "node_modules");
/** Besides its data: who may use it, and on what terms. */
const PAPERS = /^(package\.json|licen[cs]e.*|.*_license\.md)$/i;
const DOCUMENTS = ["deploy", "README.md", "CHANGELOG.md", "SECURITY.md", "LICENSE", "bursar.example.yaml"];

type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};

type SoundBank = Awaited<ReturnType<typeof loadSoundBank>>;
type Staged = { readonly name: string; readonly folder: string };

/** Lays out each package as it will be installed, in a folder of its own below the given one. */
export async function stagePackages(below: string): Promise<readonly Staged[]> {
  rmSync(below, { recursive: true, force: true });
  return [await stageGateway(below), await stageSandbox(below), await stageCompaction(below)];
}

async function stageGateway(below: string): Promise<Staged> {
  const folder = join(below, "bursar");
  const { dependencies, optionalDependencies = {}, ...manifest } = manifestOf("gateway");
  const databases = Object.entries(optionalDependencies).filter(([name]) => name.startsWith("@embedded-"));
  const source = join(ROOT, "gateway", "src");
  const to = join(folder, "gateway", "src");
  copy(folder, ["bin/bursar", "gateway/catalog", "gateway/sql", ...DOCUMENTS]);
  for (const { name } of readdirSync(join(ROOT, "docs"), { withFileTypes: true }).filter((each) =>
    each.isFile(),
  ))
    copy(folder, [`docs/${name}`]);
  copyLauncher(folder);
  await bundle([join(source, "main.ts")], { to, target: "bun", packages: "bundle" });
  // Modules read these from beside themselves, and the bundle lies in one folder.
  for (const file of ["http/pages/icon.svg", "http/api-docs/favicon.ico"])
    cpSync(join(source, file), join(to, basename(file)));
  run("gateway/src/http/console/bundle/build-console.ts", join(folder, relative(ROOT, BUILT_CONSOLE)));
  writeFileSync(join(folder, relative(ROOT, BUILT_VIEWER)), await readScript());
  writeFileSync(join(folder, "NOTICES"), makeNotices(ROOT));
  return finish(folder, {
    ...manifest,
    bin: { bursar: "bin/bursar" },
    dependencies: { bun: BUN_VERSION },
    optionalDependencies: { "@bursar/sandbox": manifest.version, ...Object.fromEntries(databases) },
  });
}

async function stageSandbox(below: string): Promise<Staged> {
  const folder = join(below, "sandbox");
  const { dependencies, ...manifest } = manifestOf("sandbox");
  copy(folder, ["scripts/with-sandbox.mjs", "LICENSE"]);
  copyLauncher(folder);
  cpSync(join(ROOT, "sandbox", "README.md"), join(folder, "README.md"));
  const entries = ["bin/bursar-sandbox.ts", "src/render/render-worker.ts"];
  await bundle(
    entries.map((name) => join(ROOT, "sandbox", name)),
    { to: join(folder, "sandbox", "bin"), target: "bun", packages: "external" },
  );
  return finish(folder, {
    ...manifest,
    bundleDependencies: await carryParts(folder),
    exports: { "./program": "./sandbox/bin/bursar-sandbox.js" },
    bin: { "bursar-sandbox": "scripts/with-sandbox.mjs" },
    dependencies: { ...dependencies, bun: BUN_VERSION },
  });
}

async function stageCompaction(below: string): Promise<Staged> {
  const folder = join(below, "compaction");
  const source = join(ROOT, "compaction");
  copy(folder, ["LICENSE"]);
  cpSync(join(ROOT, "compaction", "README.md"), join(folder, "README.md"));
  const entries = ["src/index.ts", "expand/expand.ts"].map((name) => join(source, name));
  await bundle(entries, { to: folder, target: "node", packages: "bundle" });
  writeTypes(entries, join(folder, "types"));
  return finish(folder, {
    ...manifestOf("compaction"),
    exports: {
      ".": { types: "./types/src/index.d.ts", default: "./index.js" },
      "./expand": { types: "./types/expand/expand.d.ts", default: "./expand.js" },
    },
  });
}

function manifestOf(part: string): Manifest {
  const {
    private: _,
    trustedDependencies,
    ...manifest
  } = JSON.parse(readFileSync(join(ROOT, part, "package.json"), "utf8"));
  return manifest as Manifest;
}

function finish(folder: string, manifest: Manifest & Readonly<Record<string, unknown>>): Staged {
  const published = {
    ...manifest,
    engines: { node: ">=20" },
    // Says in the registry which commit and which build a package came from.
    publishConfig: { access: "public", provenance: true },
  };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
  return { name: manifest.name, folder };
}

function copy(folder: string, paths: readonly string[]): void {
  for (const path of paths) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
}

/** What finds and starts Bun, the same as in a clone. */
function copyLauncher(folder: string): void {
  const launch = ["launch.mjs", "bunfig.toml"];
  const used = (name: string): string[] =>
    [...readFileSync(join(SCRIPTS, name), "utf8").matchAll(/from "\.\/([\w-]+\.mjs)"/g)].flatMap(
      ([, each = ""]) => [each, ...used(each)],
    );
  copy(
    folder,
    [...new Set([...launch, ...used("launch.mjs")])].map((name) => `scripts/${name}`),
  );
}

type Bundling = {
  readonly to: string;
  readonly target: "bun" | "node";
  /** Inside, a library costs its code alone; what has files beside its code stays outside. */
  readonly packages: "bundle" | "external";
};

/** All modules in one folder, each entry under its own name. */
async function bundle(entrypoints: string[], { to, target, packages }: Bundling): Promise<void> {
  const naming = { entry: "[name].[ext]", chunk: "[name]-[hash].[ext]", asset: "[name].[ext]" };
  await Bun.build({ entrypoints, outdir: to, target, packages, naming, splitting: true });
}

function writeTypes(entries: readonly string[], to: string): void {
  const flags = [
    "--declaration",
    "--emitDeclarationOnly",
    "--allowImportingTsExtensions",
    "--ignoreConfig",
    "--skipLibCheck",
  ];
  const options = [
    "--target",
    "esnext",
    "--module",
    "nodenext",
    "--resolveJsonModule",
    "--strict",
    "--types",
    "bun",
  ];
  run(
    join(ROOT, "node_modules", "typescript", "bin", "tsc"),
    ...entries,
    "--outDir",
    to,
    ...flags,
    ...options,
  );
  for (const name of readdirSync(to, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".d.ts")) continue;
    const file = join(to, name);
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(/(from "\.[^"]*)\.ts"/g, '$1.js"'));
  }
}

function run(program: string, ...args: string[]): void {
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, program, ...args], { cwd: ROOT });
  if (exitCode !== 0) throw new Error(`${program} failed: ${stdout}${stderr}`);
}

/**
 * Two packages are mostly data that the sandbox never reads, and would be half of its download: their parts are carried
 * inside its own. Returns their names.
 */
async function carryParts(folder: string): Promise<string[]> {
  const to = (file: string) => {
    const path = join(folder, "node_modules", file);
    mkdirSync(dirname(path), { recursive: true });
    return path;
  };
  for (const { file } of FONT_FILES) cpSync(join(PACKAGES, file), to(file));
  writeFileSync(to(SOUND_FONT), playedPart(await loadSoundBank()));
  const names = ["@fontsource/inter", dirname(SOUND_FONT)];
  for (const name of names)
    for (const paper of readdirSync(join(PACKAGES, name)).filter((each) => PAPERS.test(each)))
      cpSync(join(PACKAGES, name, paper), to(`${name}/${paper}`));
  return names;
}

/** The instruments that a style may pick. Their samples stay as they are. */
function playedPart(bank: SoundBank): Uint8Array {
  const styles = Object.values(STYLES);
  const programs = new Set(styles.flatMap(({ parts }) => parts.flatMap((part) => part.programs)));
  const kits = new Set(styles.map(({ drums }) => drums?.kit));
  const isPlayed = ({ isDrum, bankMSB, program }: SoundBank["presets"][number]) =>
    isDrum ? kits.has(program) : bankMSB === 0 && programs.has(program);
  for (const preset of bank.presets.filter((each) => !isPlayed(each))) bank.deletePreset(preset);
  bank.removeUnusedElements();
  return new Uint8Array(bank.writeSF2());
}
