import { readdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const MAX_FILE_BYTES = 20_000_000;
const UNWANTED = /(\.test\.|[-/]testing[./]|\.map$|(^|\/)(test|fixtures|data)\/|\.env|\.log$)/;
/** Keys of ours and of vendors, and files of keys; an example in a document is shorter. */
const SECRET = /svc_(live|mgmt)_[0-9A-Za-z]{43}|\bsk-[0-9A-Za-z_-]{32,}|-----BEGIN [A-Z ]*PRIVATE KEY-----/;
/** Where it was built is nobody's business. */
const OWN_PLACES = [join(import.meta.dir, "..", ".."), join(homedir(), "/")];

export const filesIn = (folder: string): string[] =>
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
