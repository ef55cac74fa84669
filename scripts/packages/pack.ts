/**
 * `npm run pack`: builds the packages, checks what is in them, and leaves their tarballs in `dist/`, with a checksum
 * each and the list of what they are made with. `--try` then installs them as a stranger would.
 */
import { createHash } from "node:crypto";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandOptions } from "../command-options.ts";
import { faultsOfContents, filesIn } from "./contents.ts";
import { stagePackages } from "./stage.ts";
import { tryInstallation } from "./try-installation.ts";

const ROOT = join(import.meta.dir, "..", "..");
const DIST = join(ROOT, "dist");

const { try: isTried } = commandOptions(
  `Usage: npm run pack [-- OPTIONS]
  --try   also installs the tarballs into empty folders, through npm and its registry, and runs what they give`,
  { try: { type: "boolean" } },
);
const tarballs = await packAll();
if (isTried) await tryInstallation(tarballs);

async function packAll(): Promise<string[]> {
  const staged = await stagePackages(join(DIST, "packages"));
  const faults = staged.flatMap(({ folder }) => faultsOfContents(folder));
  if (faults.length > 0) {
    console.error(faults.join("\n"));
    process.exit(1);
  }
  const packed = staged.map(({ folder }) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync(
      ["npm", "pack", "--json", "--ignore-scripts", "--pack-destination", DIST],
      { cwd: folder },
    );
    if (exitCode !== 0) throw new Error(`npm pack failed: ${stderr}`);
    const [{ name, filename, size, unpackedSize }] = JSON.parse(`${stdout}`);
    const bytes = readFileSync(join(DIST, filename));
    const sum = createHash("sha256").update(bytes).digest("hex");
    return { name, filename, files: filesIn(folder).length, bytes: size, installed: unpackedSize, sum };
  });
  cpSync(join(ROOT, "docs", "sbom.json"), join(DIST, "sbom.json"));
  writeFileSync(
    join(DIST, "SHA256SUMS"),
    packed.map(({ sum, filename }) => `${sum}  ${filename}\n`).join(""),
  );
  console.table(packed.map(({ sum, ...shown }) => shown));
  return packed.map(({ filename }) => join(DIST, filename));
}
