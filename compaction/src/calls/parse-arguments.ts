/** Deeper arguments are no call's: whoever walks them needs a stack frame for every level. */
const MOST_DEPTH = 512;

/** Throws a SyntaxError for invalid JSON, and for JSON that is nested deeper than anybody needs. */
export function parseArguments(json: string): unknown {
  const value: unknown = JSON.parse(json);
  if (isDeeper(value, MOST_DEPTH)) throw new SyntaxError();
  return value;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}
