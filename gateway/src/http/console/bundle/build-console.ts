/**
 * Runs in a process of its own, so that the bundler's memory is freed when it exits: bundles the web app into the
 * given folder, every file beside its compressed forms, with a manifest.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { CONSOLE_ENTRY, type ConsoleManifest, FILES_PATH, MANIFEST } from "./manifest.ts";

const FONTS = ["400", "600"].map((weight) =>
  Bun.resolveSync(`@fontsource/inter/files/inter-latin-${weight}-normal.woff2`, import.meta.dir),
);
const [folder = ""] = process.argv.slice(2);
const built = await Bun.build({
  entrypoints: [CONSOLE_ENTRY],
  target: "browser",
  splitting: true,
  minify: true,
  publicPath: FILES_PATH,
  naming: { entry: "[name]-[hash].[ext]", chunk: "[name]-[hash].[ext]", asset: "[name]-[hash].[ext]" },
  define: { "process.env.NODE_ENV": '"production"' },
  // The bundler would inline them into the stylesheet, where the content security policy refuses them.
  external: [`${FILES_PATH}*`],
});

mkdirSync(folder, { recursive: true });
const manifest: { script: string; styles: string[]; files: string[] } = { script: "", styles: [], files: [] };

function write(name: string, bytes: Uint8Array): void {
  // The server may be busy with calls meanwhile: this is good enough, at a tenth of the time of the best quality.
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } });
  writeFileSync(join(folder, name), bytes);
  writeFileSync(join(folder, `${name}.br`), brotli);
  writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes));
  manifest.files.push(name);
}

for (const output of built.outputs) {
  const name = basename(output.path);
  write(name, new Uint8Array(await output.arrayBuffer()));
  if (output.kind === "entry-point") manifest.script = name;
  // Includes the styles of chunks that are loaded later.
  if (name.endsWith(".css")) manifest.styles.push(name);
}
for (const font of FONTS) write(basename(font), readFileSync(font));
writeFileSync(join(folder, MANIFEST), JSON.stringify(manifest satisfies ConsoleManifest));
