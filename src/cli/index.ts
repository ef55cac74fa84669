/**
 * The operator's command line: words in, words or one JSON object out, and an exit code.
 * Owns commands, their flags, their help and how answers are written. Decides nothing about credits,
 * keys or people: each command asks one service and translates its answer.
 * Invariants: what is not understood is refused by name before anything is opened; what was opened is
 * closed; with `--json` stdout carries exactly one object; 0 is done, 1 failed, 2 asked wrongly.
 */
export type { BodyPreview, PreviewOptions } from "./body-preview.ts";
export { CliError } from "./cli-error.ts";
export type { CatalogInspection, CliHost } from "./cli-host.ts";
export { runCli } from "./run-cli.ts";
export type { ServeOptions } from "./serve-options.ts";
export { createStandardOutput } from "./standard-output.ts";
export type { Terminal } from "./terminal.ts";
