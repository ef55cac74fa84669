/** One small change of a source file that its tests should notice. */
export type Mutant = {
  readonly path: string;
  readonly line: number;
  /** The original line, without its indentation. */
  readonly code: string;
  /** The change as `old → new`; the second of equal changes in a line ends with `(2)`. */
  readonly change: string;
  /** The whole file with the change. */
  readonly text: string;
};

/** Replaces the text from `start` to `end` by `now`. */
export type Edit = { readonly start: number; readonly end: number; readonly now: string };

/** Turns edits into mutants, identified by their visible text, so that moving a line does not change them. */
export function asMutants(path: string, text: string, edits: readonly Edit[]): Mutant[] {
  const seen = new Map<string, number>();
  return edits.map(({ start, end, now }) => {
    const lineStart = text.lastIndexOf("\n", start - 1) + 1;
    const lineEnd = text.indexOf("\n", start);
    const code = text.slice(lineStart, lineEnd < 0 ? undefined : lineEnd).trim();
    const was = shown(text.slice(start, end));
    const change = `${was} → ${shown(now)}`;
    const name = `${code}\n${change}`;
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return {
      path,
      line: text.slice(0, start).split("\n").length,
      code,
      change: times === 1 ? change : `${change} (${times})`,
      text: text.slice(0, start) + now + text.slice(end),
    };
  });
}

const MOST_SHOWN = 60;

function shown(code: string): string {
  const flat = code.trim().replace(/\s+/g, " ");
  if (flat === "") return "nothing";
  return flat.length > MOST_SHOWN ? `${flat.slice(0, MOST_SHOWN)}…` : flat;
}
