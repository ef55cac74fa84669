import { createHash } from "node:crypto";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { faultsOfContents, filesIn } from "./contents.ts";
import { stagePackages } from "./stage.ts";

const ROOT = join(import.meta.dir, "..", "..");
export const DIST = join(ROOT, "dist");

/** Leaves in `dist/` a tarball of each package, their checksums and the list of what they are made with. */
export async function packAll(): Promise<string[]> {
  rmSync(DIST, { recursive: true, force: true });
  const staged = await stagePackages(join(DIST, "packages"));
  const faults = staged.flatMap(({ name, folder }) =>
    faultsOfContents(folder).map((fault) => `${name}: ${fault}`),
  );
  if (faults.length > 0) throw new Error(faults.join("\n"));
  const packed = staged.map(({ name, folder }) => {
    const command = ["npm", "pack", "--json", "--ignore-scripts", "--pack-destination", DIST];
    const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: folder });
    if (exitCode !== 0) throw new Error(`npm pack failed: ${stderr}`);
    const [{ filename, size, unpackedSize }] = JSON.parse(`${stdout}`);
    const sum = createHash("sha256")
      .update(readFileSync(join(DIST, filename)))
      .digest("hex");
    return { name, filename, files: filesIn(folder).length, bytes: size, installed: unpackedSize, sum };
  });
  cpSync(join(ROOT, "docs", "sbom.json"), join(DIST, "sbom.json"));
  const sums = packed.map(({ sum, filename }) => `${sum}  ${filename}\n`);
  writeFileSync(join(DIST, "SHA256SUMS"), sums.join(""));
  console.table(packed.map(({ sum, ...shown }) => shown));
  return packed.map(({ filename }) => join(DIST, filename));
}
