import { createHash } from "node:crypto";
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { stagePackages } from "./stage.ts";

const ROOT = join(import.meta.dir, "..", "..");
const DIST = join(ROOT, "dist");
const MAX_FILE_BYTES = 20_000_000;
const UNWANTED = /(\.test\.|[-/]testing[./]|\.map$|(^|\/)(test|fixtures|data)\/|\.env|\.log$)/;
/** Keys of ours and of vendors, and files of keys; an example in a document is shorter. */
const SECRET = /svc_(live|mgmt)_[0-9A-Za-z]{43}|\bsk-[0-9A-Za-z_-]{32,}|-----BEGIN [A-Z ]*PRIVATE KEY-----/;
/** Where it was built is nobody's business. */
const OWN_PLACES = [ROOT, join(homedir(), "/")];

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

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(folder, name)).isFile())
    .toSorted();

/** What must not be published as it is, one sentence each. */
export function faultsOfContents(folder: string): string[] {
  const files = filesIn(folder);
  const missing = ["LICENSE", "README.md", "package.json"].filter((name) => !files.includes(name));
  return [
    ...missing.map((name) => `${name} is missing`),
    ...files.flatMap((name) => {
      const bytes = readFileSync(join(folder, name));
      const text = bytes.toString("latin1");
      return [
        UNWANTED.test(name) ? [`${name} is of no use to who installs it`] : [],
        bytes.length > MAX_FILE_BYTES ? [`${name} has ${bytes.length} bytes`] : [],
        SECRET.test(text) ? [`${name} has what looks like a key`] : [],
        OWN_PLACES.some((place) => text.includes(place)) ? [`${name} names a folder of this machine`] : [],
      ].flat();
    }),
  ];
}
