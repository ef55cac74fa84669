import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { BUILT, lazily, present, sha256Hex } from "../../kit/index.ts";

/** The viewer's script, compressed for sending. Only the compressed form stays in memory. */
type ViewerFile = {
  readonly name: string;
  readonly gzipped: Uint8Array<ArrayBuffer>;
  readonly plain: () => Promise<string>;
};

const compress = promisify(gzip);
/** Carries the whole viewer as one string; the viewer's own package takes sixteen times the space. None of it runs here. */
const PACKAGE = "@scalar/fastify-api-reference";
const SCRIPT = /^var standalone_default = "([^\n]*)";$/m;
const NAME_CHARS = 16;

/** Reads and compresses the file when the reference is first opened; compression runs off the main thread. */
export function createViewerFile(): () => Promise<ViewerFile> {
  return lazily(async () => {
    const script = await readScript();
    return {
      name: `${sha256Hex(script).slice(0, NAME_CHARS)}.js`,
      gzipped: new Uint8Array(await compress(script)),
      plain: readScript,
    };
  });
}

/** Where the published package has the script alone. */
export const BUILT_VIEWER = join(BUILT, "viewer.js");

export async function readScript(): Promise<string> {
  if (existsSync(BUILT_VIEWER)) return Bun.file(BUILT_VIEWER).text();
  const code = await Bun.file(Bun.resolveSync(PACKAGE, import.meta.dir)).text();
  const literal = present(SCRIPT.exec(code)?.[1], `the viewer in ${PACKAGE}`);
  return literal.replaceAll(/\\(.)/g, (_, sign) => (sign === "n" ? "\n" : sign));
}
