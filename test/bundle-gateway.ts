/**
 * Runs in a process of its own, so that the bundler's memory is freed when it exits: writes the gateway as few files
 * into the given folder, for the processes that tests start. They end after one call, and reading and linking a
 * thousand modules is a third of such a start.
 */
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const MAIN = join(import.meta.dir, "..", "gateway", "src", "main.ts");
const [outdir = ""] = process.argv.slice(2);

await Bun.build({
  entrypoints: [MAIN],
  outdir,
  target: "bun",
  // What is loaded on demand stays so.
  splitting: true,
  plugins: [
    {
      name: "modules find what lies beside their source",
      setup(build) {
        build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
          const source = await Bun.file(path).text();
          const contents = source
            .replaceAll("import.meta.dir", JSON.stringify(dirname(path)))
            .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href));
          return { loader: "ts", contents };
        });
      },
    },
  ],
});
