import { test } from "bun:test";
import { consoleFiles, type SourceFile, serviceFiles, tree } from "./source-tree.ts";
import { expectNone, type Violation } from "./violation.ts";

const styles = tree.filter(({ path }) => /^console\/.*\.css$/.test(path));
/** The page around the web app uses classes too. */
const code = [
  ...consoleFiles,
  ...serviceFiles.filter(({ path }) => path.startsWith("gateway/src/http/console/")),
];
const said = new Set(code.flatMap(({ text }) => text.match(/[\w-]+/g) ?? []));
/** Numbered names may be composed where they are used: `--chart-` and a number. */
const isSaid = (name: string) => said.has(name) || said.has(name.replace(/\d+$/, ""));

/** The names in a style sheet, comments excluded, by the pattern's first group. */
function namesIn({ path, text }: SourceFile, pattern: RegExp): Violation[] {
  const plain = text.replaceAll(/\/\*[\s\S]*?\*\//g, "");
  const names = [...plain.matchAll(pattern)].map((match) => match[1] ?? "");
  return [...new Set(names)].map((what) => ({ path, what }));
}

test("every class of the stylesheets is used", () => {
  const classes = styles.flatMap((sheet) => namesIn(sheet, /\.([a-z][\w-]*)(?=[^{};]*\{)/gi));
  expectNone(
    classes.filter(({ what }) => !said.has(what)),
    "Delete the rule: nothing has this class.",
  );
});

test("every custom property of the stylesheets is read", () => {
  const read = new Set(styles.flatMap((sheet) => namesIn(sheet, /var\((--[\w-]+)/g)).map(({ what }) => what));
  const defined = styles.flatMap((sheet) => namesIn(sheet, /(--[\w-]+)\s*:/g));
  expectNone(
    defined.filter(({ what }) => !read.has(what) && !isSaid(what)),
    "Delete the property: nothing reads it.",
  );
});
