/** A line that stayed, was removed or was added. */
export type DiffLine = { readonly sign: " " | "-" | "+"; readonly text: string };

/** Limit of old lines times new lines; beyond it lines are not matched, since the table would not fit in memory. */
const MOST_CELLS = 4_000_000;

/** Line diff with the fewest removed and added lines, if the texts are not too long for that. */
export function diffLines(before: string, after: string): DiffLine[] {
  const old = before.split("\n");
  const now = after.split("\n");
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  return [
    ...old.slice(0, start).map(stayed),
    ...diffMiddle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old.slice(old.length - end).map(stayed),
  ];
}

const stayed = (text: string): DiffLine => ({ sign: " ", text });
const went = (text: string): DiffLine => ({ sign: "-", text });
const came = (text: string): DiffLine => ({ sign: "+", text });

function diffMiddle(old: readonly string[], now: readonly string[]): DiffLine[] {
  const width = now.length + 1;
  if (old.length * width > MOST_CELLS) return [...old.map(went), ...now.map(came)];
  // For each pair of positions: the length of the longest common subsequence of the lines from there on.
  const common = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      common[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length && j < now.length) {
    if (old[i] === now[j]) {
      lines.push(stayed(old[i++] ?? ""));
      j++;
    } else if (at(i + 1, j) >= at(i, j + 1)) lines.push(went(old[i++] ?? ""));
    else lines.push(came(now[j++] ?? ""));
  }
  return [...lines, ...old.slice(i).map(went), ...now.slice(j).map(came)];
}

const AROUND = 2;

/** Leaves out unchanged lines but for a few around changes, with a note how many. */
export function shortenDiff(lines: readonly DiffLine[]): DiffLine[] {
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ sign }) => sign !== " ");
  const shown: DiffLine[] = [];
  let hidden = 0;
  const note = () => {
    if (hidden > 0) shown.push({ sign: " ", text: `… ${hidden} more` });
    hidden = 0;
  };
  for (const [at, line] of lines.entries()) {
    if (isNear(at)) {
      note();
      shown.push(line);
    } else hidden++;
  }
  note();
  return shown;
}
