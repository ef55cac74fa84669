import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import {
  type GatewayProcess,
  makePicture,
  runCommand,
  runPrintedCurl,
  startGateway,
} from "../../test/acceptance/gateway-process.ts";

/**
 * Installs the tarballs as a stranger would, with npm's cache empty and then full, and asks for a first answer, a picture,
 * another one after a restart, and the doctor.
 */
export async function tryInstallation(tarballs: readonly string[]): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), "bursar-packages-"));
  const cache = join(place, "cache");
  try {
    const rows = [];
    for (const caches of ["cold", "warm"]) {
      const folder = join(place, caches);
      const begun = performance.now();
      install(folder, cache, tarballs);
      const installed = performance.now();
      const asked = await askFirst(folder);
      rows.push({
        caches,
        "installed after s": seconds(installed - begun),
        "first answer after s": seconds(asked.answeredAt - begun),
        "node_modules MB": megabytes(join(folder, "node_modules")),
        "cache MB": megabytes(cache),
        ...asked.seen,
      });
    }
    console.table(rows);
    const bare = join(place, "bare");
    install(
      bare,
      cache,
      tarballs.filter((path) => /^bursar-\d/.test(basename(path))),
      "--omit=optional",
    );
    console.log(`without what is optional: ${megabytes(join(bare, "node_modules"))} MB; it says:`);
    console.log(Bun.spawnSync([programIn(bare)], { cwd: bare, stderr: "pipe" }).stderr.toString());
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

const programIn = (folder: string) => join(folder, "node_modules", ".bin", "bursar");
const seconds = (ms: number) => Number((ms / 1_000).toFixed(1));

function install(folder: string, cache: string, tarballs: readonly string[], ...flags: string[]): void {
  mkdirSync(join(folder, "data"), { recursive: true });
  writeFileSync(join(folder, "package.json"), "{}");
  const args = ["install", "--no-audit", "--no-fund", "--cache", cache, ...flags, ...tarballs];
  const { exitCode, stderr } = Bun.spawnSync(["npm", ...args], { cwd: folder, stderr: "pipe" });
  if (exitCode !== 0) throw new Error(`npm could not install them: ${stderr}`);
}

async function askFirst(folder: string) {
  const [dataDir, program] = [join(folder, "data"), [programIn(folder)]];
  const serving = async <T>(ask: (gateway: GatewayProcess) => Promise<T>): Promise<T> => {
    const gateway = await startGateway(dataDir, {}, [], program);
    return ask(gateway).finally(() => gateway.stop("SIGTERM"));
  };
  const first = await serving(async ({ origin, welcome }) => {
    const answer = await runPrintedCurl(welcome);
    const answeredAt = performance.now();
    const key = /svc_live_[0-9A-Za-z]{43}/.exec(welcome)?.[0] ?? "";
    await makePicture(origin, key);
    return { answer, answeredAt, key };
  });
  const picture = await serving(async ({ origin }) => fetch(await makePicture(origin, first.key)));
  const doctor = await runCommand(program, dataDir, ["doctor"]);
  return {
    answeredAt: first.answeredAt,
    seen: {
      answer: JSON.stringify(first.answer["message"] ?? first.answer),
      picture: picture.headers.get("content-type"),
      doctor: doctor["ok"],
    },
  };
}

function megabytes(folder: string): number {
  return Number.parseInt(Bun.spawnSync(["du", "-sm", folder]).stdout.toString(), 10);
}
