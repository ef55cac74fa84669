import type { FillState } from "./fill-state.ts";
import { identifierWords } from "./identifier.ts";
import { placesOf } from "./mention.ts";
import { namedIn, type SchemaNode } from "./schema/schema-node.ts";

/** Limits per answer, and per branch. */
const MAX_BRANCHES_READ = 256;
const MAX_PROPERTIES_READ = 16;
/** "Draw a circle" decides for a branch, whatever property names are mentioned besides. */
const VALUE_WEIGHT = 100;

/** How much the prompt says about a branch: values that it states, then names of its properties. */
export function saidOfBranch(state: FillState, name: string, branch: unknown): number {
  const known = state.saidOfBranches.get(branch);
  if (known !== undefined) return known;
  if (state.saidOfBranches.size >= MAX_BRANCHES_READ) return 0;
  const said = weigh(state, name, state.reader.resolve(branch));
  state.saidOfBranches.set(branch, said);
  return said;
}

function weigh(state: FillState, name: string, node: SchemaNode): number {
  const stated = statedBy(node);
  if (stated !== undefined) return state.clues.options.has(name, stated) ? VALUE_WEIGHT : 0;
  const text = state.clues.clues.text.toLowerCase();
  const properties = Object.entries(namedIn(node, "properties"));
  return properties.slice(0, MAX_PROPERTIES_READ).reduce((sum, [property, schema]) => {
    const options = statedBy(state.reader.resolve(schema));
    const isSaid = options !== undefined && state.clues.options.has(property, options);
    // A little less the later it is mentioned, so that the first mention wins.
    const at = isSaid ? state.clues.options.placeOf(options) / (text.length + 1) : 0;
    const isNamed = placesOf(identifierWords(property).join(" "), text, 1).length > 0;
    return sum + (isSaid ? VALUE_WEIGHT - at : 0) + (isNamed ? 1 : 0);
  }, 0);
}

/** If several branches are mentioned, each list item takes the next one: "a circle and a square". */
export function inTurn(branches: readonly unknown[], weights: readonly number[], item: number): unknown[] {
  const said = branches.filter((_, at) => (weights[at] ?? 0) > VALUE_WEIGHT - 1);
  const first = said[item % said.length];
  return first === undefined ? [...branches] : [first, ...branches.filter((branch) => branch !== first)];
}

function statedBy(node: SchemaNode): readonly unknown[] | undefined {
  if ("const" in node) return [node["const"]];
  return Array.isArray(node["enum"]) ? node["enum"] : undefined;
}
