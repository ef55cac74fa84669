import type { Tool } from "../../../../contract/index.ts";
import { sha256Hex } from "../../../../kit/index.ts";

/** Name of a search for further tools, see `tool-search.ts`. */
export const SEARCH_NAME = "tool_search";

/** A tool as its caller named it. */
type CallerTool = {
  /**
   * A custom tool takes free text; providers get it as a function with one string. A search is one for further tools,
   * run by the client.
   */
  readonly kind: "function" | "custom" | "search";
  readonly name: string;
  readonly namespace?: string;
};

/**
 * The tools of one call, both as their caller and as a provider knows them. Providers have no namespaces: a tool in one
 * is renamed to `namespace__name`, and mapped back by this table, never by splitting the name.
 */
export type ToolTable = {
  /** In the order sent; a tool that is sent again replaces the earlier one. */
  readonly tools: readonly Tool[];
  readonly size: number;
  /** `tool` has its neutral name; `given` is the tool as it was sent. */
  add(caller: CallerTool, tool: Tool, given: unknown): void;
  has(neutralName: string): boolean;
  /** Maps each of these tools, as it was sent, to its neutral form. */
  givenFor(tools: readonly Tool[]): ReadonlyMap<unknown, Tool>;
  /** The name for providers. Also for tools that are no longer offered, since earlier calls may name them. */
  neutralName(name: string, namespace?: string): string;
  /** The same for a built-in tool of the original service, such as the search: differs from that of any function. */
  builtInName(kind: string): string;
  /** The caller's tool of this name; a function of the same name if no such tool was offered. */
  callerTool(neutralName: string): CallerTool;
};

type OfferedTool = { readonly caller: CallerTool; readonly tool: Tool; readonly given: unknown };

/** Most providers accept no longer names. */
const MAX_NAME_CHARACTERS = 64;
const HASH_CHARACTERS = 8;
/** Prefix in the keys of built-in tools, which is not expected in a namespace. */
const BUILT_IN = "\n\n";

export function createToolTable(): ToolTable {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const offered = new Map<string, OfferedTool>();

  function nameFor(key: string, flatName: () => string): string {
    return names.getOrInsertComputed(key, () => {
      const flat = flatName();
      // Two tools with the same flat name are rare; the hash of its key makes the second unique.
      const neutral = taken.has(flat) ? hashed(flat, key) : flat;
      taken.add(neutral);
      return neutral;
    });
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
