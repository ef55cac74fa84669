import { sha256Hex } from "../../../kit/index.ts";
import type { Tool } from "../../../providers/index.ts";

/** What a search for further tools is called, see `tool-search.ts`. */
export const SEARCH_NAME = "tool_search";

/** A tool by the names that its caller gave it. */
type CallerTool = {
  /**
   * A custom tool takes free text; providers know it as a function with one string. A search is the client's own for
   * further tools.
   */
  readonly kind: "function" | "custom" | "search";
  readonly name: string;
  readonly namespace?: string;
};

/**
 * The tools of one call, both as their caller and as a provider knows them. Providers know no namespaces: a tool of one
 * is flattened to `namespace__name`, and found again by this table, never by taking the name apart.
 */
export type ToolTable = {
  /** In the order in which they came; one that comes again replaces the first. */
  readonly tools: readonly Tool[];
  readonly size: number;
  /** The tool under its neutral name, and as it was sent. */
  add(caller: CallerTool, tool: Tool, given: unknown): void;
  has(neutralName: string): boolean;
  /** What these of them were sent as. */
  givenFor(tools: readonly Tool[]): ReadonlyMap<unknown, Tool>;
  /** What a provider calls it; the same for one that is no longer offered, as calls in a history may be. */
  neutralName(name: string, namespace?: string): string;
  /** The same of a kind that its service has a name for, as the search: another tool than a function of that name. */
  builtInName(kind: string): string;
  /** Whose call this is; a function of that very name where no such tool was offered. */
  callerTool(neutralName: string): CallerTool;
};

type OfferedTool = { readonly caller: CallerTool; readonly tool: Tool; readonly given: unknown };

/** Most providers take no longer name. */
const MAX_NAME_CHARACTERS = 64;
const HASH_CHARACTERS = 8;
/** No namespace begins so. */
const BUILT_IN = "\n\n";

export function createToolTable(): ToolTable {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const offered = new Map<string, OfferedTool>();

  function nameFor(key: string, flatName: () => string): string {
    const known = names.get(key);
    if (known !== undefined) return known;
    const flat = flatName();
    // A second tool of the same flat name is rare; its key makes it unique without a search.
    const neutral = taken.has(flat) ? hashed(flat, key) : flat;
    names.set(key, neutral);
    taken.add(neutral);
    return neutral;
  }

  return {
    get tools() {
      return [...offered.values()].map(({ tool }) => tool);
    },
    get size() {
      return offered.size;
    },
    add: (caller, tool, given) => void offered.set(tool.name, { caller, tool, given }),
    has: (name) => offered.has(name),
    givenFor: (tools) => new Map(tools.map((tool) => [offered.get(tool.name)?.given, tool])),
    neutralName: (name, namespace) =>
      namespace === undefined
        ? nameFor(name, () => name)
        : nameFor(`${namespace}\n${name}`, () => shortened(`${namespace}__${name}`)),
    builtInName: (kind) => nameFor(`${BUILT_IN}${kind}`, () => kind),
    callerTool: (name) => offered.get(name)?.caller ?? { kind: "function", name },
  };
}

function shortened(name: string): string {
  return name.length <= MAX_NAME_CHARACTERS ? name : hashed(name, name);
}

function hashed(name: string, key: string): string {
  const hash = sha256Hex(key).slice(0, HASH_CHARACTERS);
  return `${name.slice(0, MAX_NAME_CHARACTERS - HASH_CHARACTERS - 1)}_${hash}`;
}
