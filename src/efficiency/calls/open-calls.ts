import type { ToolCall } from "../../providers/index.ts";
import { resultKindOf, type ToolKind } from "./tool-kind.ts";

/** The calls of a conversation, as their results come. */
type OpenCalls = {
  /** The calls of one turn. */
  open(calls: readonly ToolCall[]): void;
  /** What the next result with this id answers. */
  answer(id: string): Answer;
};

export type Answer = {
  /** Undefined where nobody could tell. */
  readonly call: ToolCall | undefined;
  readonly kind: ToolKind;
};

type Asked = {
  readonly turn: number;
  readonly calls: ToolCall[];
  /** A call of an earlier turn has the same id, and no result has come since. */
  readonly isUnclear: boolean;
  answers: number;
  /** Of all calls; null as long as nobody has asked. */
  kind: ToolKind | null;
};

const NO_ANSWER: Answer = { call: undefined, kind: "unknown" };

/**
 * Ids are what clients make of them: some begin anew with every turn, and some say the tool's name for each of its calls.
 * So a result belongs to the last turn with its id, and of several calls there it answers the one whose turn it is.
 */
export function createOpenCalls(): OpenCalls {
  const asked = new Map<string, Asked>();
  let turn = 0;
  /** The last turn that was followed by a result: what was asked before it, and not answered, never will be. */
  let answered = 0;
  return {
    open(calls) {
      turn++;
      for (const call of calls) {
        const known = asked.get(call.id);
        if (known?.turn === turn) known.calls.push(call);
        else {
          const isUnclear = known !== undefined && known.turn > answered;
          asked.set(call.id, { turn, calls: [call], isUnclear, answers: 0, kind: null });
        }
      }
    },

    answer(id) {
      answered = turn;
      const known = asked.get(id);
      if (known === undefined || known.isUnclear) return NO_ANSWER;
      const { calls } = known;
      // What one call said may come in any number of results.
      const call = calls[calls.length === 1 ? 0 : known.answers++];
      known.kind ??= kindOf(calls);
      return call === undefined ? NO_ANSWER : { call, kind: known.kind };
    },
  };
}

/** Not each of several calls may be answered: where their results are of different kinds, one could be taken for another's. */
function kindOf(calls: readonly ToolCall[]): ToolKind {
  const [kind = "unknown", ...others] = new Set(calls.map(resultKindOf));
  return others.length === 0 ? kind : "unknown";
}
