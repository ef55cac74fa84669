import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import packed from "../../node_modules/@sparticuz/chromium/package.json" with { type: "json" };

type FoundChromium = {
  readonly executablePath: string;
  /** Environment for Chromium: its own libraries and fonts, for machines that have none. */
  readonly env: Readonly<Record<string, string>>;
};

const CACHE = join(import.meta.dir, "..", "..", "node_modules", ".cache");
const UNPACK_LIMIT_MS = 120_000;
const ASK_AGAIN_MS = 50;
/** Not the package's own list, which disables the Origin header and the same-origin policy. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
];
/** The headless shell comes first: it starts and renders in half the time of the others. */
const ON_THE_MACHINE = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/**
 * The Chromium that is installed with the tests, if it runs on this platform; else the machine's own. Null if there is
 * none.
 */
export async function findChromium(): Promise<FoundChromium | null> {
  if (process.platform === "linux" && process.arch === "x64") return unpacked();
  const executablePath = ON_THE_MACHINE.find((path) => existsSync(path));
  return executablePath === undefined ? null : { executablePath, env: {} };
}

export function launchChromium({ executablePath, env }: FoundChromium): Promise<Browser> {
  const { PATH = "", HOME = tmpdir() } = process.env;
  return chromium.launch({ executablePath, args: FLAGS, env: { PATH, HOME, ...env } });
}

/** Called by a test file before it describes its tests: without a browser it says so, and they are skipped. */
export async function chromiumForTests(): Promise<FoundChromium | null> {
  const found = await findChromium();
  if (found === null) {
    const why = `none is packed for ${process.platform} on ${process.arch} and none is installed`;
    process.stderr.write(`Skipped without a Chromium (${why}): flows in a browser.\n`);
  }
  return found;
}

/**
 * Unpacks two hundred megabytes once per tree and version, however many test files start together: whoever holds the
 * lock unpacks to a folder beside `place` and renames it, the others wait until `place` exists.
 */
async function unpacked(): Promise<FoundChromium> {
  const place = join(CACHE, `bursar-chromium-${packed.version}`);
  const lock = `${place}.lock`;
  for (const startedMs = performance.now(); !existsSync(place); await Bun.sleep(ASK_AGAIN_MS)) {
    if (performance.now() - startedMs > UNPACK_LIMIT_MS) throw new Error(`nobody unpacked ${place}`);
    if (!takeLock(lock)) continue;
    try {
      if (!existsSync(place)) await unpack(place);
    } finally {
      rmSync(lock, { force: true });
    }
  }
  return {
    executablePath: join(place, "chromium"),
    env: {
      LD_LIBRARY_PATH: join(place, "al2023", "lib"),
      FONTCONFIG_FILE: join(place, "bursar-fonts.conf"),
    },
  };
}

/** A lock left behind by a killed run does not count. */
function takeLock(lock: string): boolean {
  try {
    writeFileSync(lock, "", { flag: "wx" });
    return true;
  } catch {
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > UNPACK_LIMIT_MS / 2) rmSync(lock, { force: true });
    return false;
  }
}

async function unpack(place: string): Promise<void> {
  const partial = `${place}.${process.pid}`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { mode: 0o700 });
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "unpack-chromium.ts")], {
    // AWS_EXECUTION_ENV makes the package unpack the libraries that a bare machine lacks.
    env: { ...process.env, TMPDIR: partial, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs22.x" },
    stdout: "ignore",
    stderr: "inherit",
    timeout: UNPACK_LIMIT_MS / 2,
  });
  if ((await child.exited) !== 0) throw new Error("Chromium could not be unpacked");
  writeFileSync(join(partial, "bursar-fonts.conf"), fontsFor(place));
  try {
    renameSync(partial, place);
  } catch (error) {
    // Two processes both took the lock for abandoned, and the other one was faster.
    rmSync(partial, { recursive: true, force: true });
    if (!existsSync(place)) throw error;
  }
}

function fontsFor(place: string): string {
  const folders = [join(place, "fonts"), "/usr/share/fonts"].map((folder) => `<dir>${folder}</dir>`).join("");
  return `<?xml version="1.0"?><fontconfig>${folders}<cachedir>${place}/fonts-cache</cachedir></fontconfig>\n`;
}
