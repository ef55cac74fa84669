import { relative, resolve } from "node:path";

/** Of the runner's own options, those that mean something here; these are followed by a word of theirs. */
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

/** The first that there is not: the runner would run everything without a word about it. */
export function unknownTestOption(args: readonly string[]): string | undefined {
  return args.find((arg, at) => {
    if (PATTERN_OPTIONS.includes(args[at - 1] ?? "")) return false;
    return arg.startsWith("-") && !OPTIONS.has(arg.split("=", 1)[0] ?? "");
  });
}

type TestTree = { readonly root: string; readonly files: readonly string[] };

/** The first path that chooses no test file: beside one that does, the runner would not say a word about it. */
export function idleTestPattern(args: readonly string[], { root, files }: TestTree): string | undefined {
  return args.find((arg, at) => {
    if (arg.startsWith("-") || VALUE_OPTIONS.includes(args[at - 1] ?? "")) return false;
    // As the runner reads them: a path where it begins like one, and else a part of one.
    if (!/^\.{0,2}\//.test(arg)) return !files.some((file) => file.includes(arg));
    const path = relative(root, resolve(root, arg));
    return !files.some((file) => file.startsWith(path));
  });
}

/** By their paths from the root. */
export function testFilesOf(root: string): readonly string[] {
  return [...new Bun.Glob("{bench,console,scripts,src,test}/**/*.test.ts").scanSync(root)];
}
