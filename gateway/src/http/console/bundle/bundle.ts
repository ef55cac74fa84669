import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { assert, BUILT, lazily } from "../../../kit/index.ts";
import { type ConsoleManifest, MANIFEST } from "./manifest.ts";

type BundledFile = {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly brotli: Uint8Array<ArrayBuffer>;
  readonly gzip: Uint8Array<ArrayBuffer>;
};

/** The web app as browsers get it, entirely in memory: less than two megabytes. */
export type Bundle = {
  readonly script: string;
  readonly styles: readonly string[];
  readonly files: ReadonlyMap<string, BundledFile>;
};

const BUILD_TIMEOUT_MS = 60_000;

/** Where the published package has it. */
export const BUILT_CONSOLE = join(BUILT, "console");

/** Elsewhere it is bundled once per process, when the console is first opened; a gateway used only by programs never pays for it. */
export const bundleOfProcess: () => Promise<Bundle> = lazily(build);

async function build(): Promise<Bundle> {
  if (existsSync(BUILT_CONSOLE)) return readBundle(BUILT_CONSOLE);
  const folder = mkdtempSync(resolve(tmpdir(), "bursar-console-"));
  try {
    const child = Bun.spawn([process.execPath, join(import.meta.dir, "build-console.ts"), folder], {
      // Bun would read settings from the folder in which we were started.
      cwd: import.meta.dir,
      stdout: "ignore",
      stderr: "pipe",
      timeout: BUILD_TIMEOUT_MS,
    });
    const [said, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
    assert(code === 0, `the console could not be bundled (${code}): ${said.slice(0, 2_000)}`);
    return readBundle(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readBundle(folder: string): Bundle {
  const read = (name: string) => new Uint8Array(readFileSync(join(folder, name)));
  const manifest = JSON.parse(readFileSync(join(folder, MANIFEST), "utf8")) as ConsoleManifest;
  const files = manifest.files.map((name): [string, BundledFile] => [
    name,
    { bytes: read(name), brotli: read(`${name}.br`), gzip: read(`${name}.gz`) },
  ]);
  return { script: manifest.script, styles: manifest.styles, files: new Map(files) };
}
