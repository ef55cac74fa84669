import { relative, resolve } from "node:path";

/** Options of Bun's test runner that make sense here and take a value. */
const PATTERN_OPTIONS = ["-t", "--test-name-pattern"];
const VALUE_OPTIONS = [
  ...PATTERN_OPTIONS,
  "--rerun-each",
  "--seed",
  "--timeout",
  "--reporter",
  "--reporter-outfile",
];
const RUNNER_OPTIONS = [...VALUE_OPTIONS, "--bail", "--only", "--randomize"];
const OPTIONS: ReadonlySet<string> = new Set(["--help", "--long", "--update-timings", ...RUNNER_OPTIONS]);

export const TEST_USAGE = `npm test [-- PATH …] [--long] [--update-timings] [OPTION …]

Without a PATH it checks types, format and lint, and runs every test. --long runs what takes longer than CI has, and
--update-timings writes down how long each file took. Options of \`bun test\` that it hands on:
${RUNNER_OPTIONS.join(", ")}.`;

/** The first unknown option: the runner would silently run everything. */
export function unknownTestOption(args: readonly string[]): string | undefined {
  return args.find((arg, at) => {
    if (PATTERN_OPTIONS.includes(args[at - 1] ?? "")) return false;
    return arg.startsWith("-") && !OPTIONS.has(arg.split("=", 1)[0] ?? "");
  });
}

type TestTree = { readonly root: string; readonly files: readonly string[] };

/** The test files that each given path stands for. One with none is a mistake that the runner would silently ignore. */
export function chosenTestFiles(
  args: readonly string[],
  { root, files }: TestTree,
): ReadonlyMap<string, readonly string[]> {
  const paths = args.filter((arg, at) => !arg.startsWith("-") && !VALUE_OPTIONS.includes(args[at - 1] ?? ""));
  return new Map(
    paths.map((arg) => {
      // Read as the runner does: as a path if it begins like one, else as part of a path.
      const path = relative(root, resolve(root, arg));
      const isPath = /^\.{0,2}\//.test(arg);
      return [arg, files.filter((file) => (isPath ? file.startsWith(path) : file.includes(arg)))];
    }),
  );
}

/** Paths relative to the root. */
export function testFilesOf(root: string): readonly string[] {
  const found = new Bun.Glob("{bench,compaction,console,gateway,sandbox,scripts,test}/**/*.test.ts").scanSync(
    root,
  );
  return [...found].filter((path) => !path.includes("node_modules"));
}
