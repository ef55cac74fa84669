import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { lazily, sha256Hex } from "../../kit/index.ts";

/** The viewer's script, compressed for sending. Only the compressed form stays in memory. */
type ViewerFile = {
  readonly name: string;
  readonly gzipped: Uint8Array<ArrayBuffer>;
  readonly plain: () => Bun.BunFile;
};

const compress = promisify(gzip);
const MODULE = "@scalar/api-reference";
const FILE_IN_PACKAGE = "dist/browser/standalone.js";
const NAME_CHARS = 16;

/** Reads and compresses the file when the reference is first opened; compression runs off the main thread. */
export function createViewerFile(): () => Promise<ViewerFile> {
  return lazily(async () => {
    const file = Bun.file(viewerPath());
    const bytes = await file.bytes();
    return {
      name: `${sha256Hex(bytes).slice(0, NAME_CHARS)}.js`,
      gzipped: new Uint8Array(await compress(bytes)),
      plain: () => file,
    };
  });
}

function viewerPath(): string {
  const entry = Bun.resolveSync(MODULE, import.meta.dir);
  const root = entry.slice(0, entry.lastIndexOf(`${MODULE}/`) + MODULE.length);
  return `${root}/${FILE_IN_PACKAGE}`;
}
