import type { ToolCall } from "../message.ts";
import { resultKindOf, type ToolKind } from "./tool-kind.ts";

/** Matches the results of a conversation with its calls. */
type OpenCalls = {
  /** Adds the calls of one turn. */
  open(calls: readonly ToolCall[]): void;
  /** The call that the next result with this id belongs to. */
  answer(id: string): Answer;
};

type Answer = {
  /** Undefined if it is unclear. */
  readonly call: ToolCall | undefined;
  readonly kind: ToolKind;
};

type Asked = {
  readonly turn: number;
  readonly calls: ToolCall[];
  /** True if an unanswered call of an earlier turn has the same id. */
  readonly isUnclear: boolean;
  answers: number;
  /** The kind of all these calls; null until it is needed. */
  kind: ToolKind | null;
};

const NO_ANSWER: Answer = { call: undefined, kind: "unknown" };

/**
 * Clients choose the ids: some start again with every turn, and some use the tool's name for each of its calls. So a
 * result belongs to the last turn with its id, and of several calls there, to the next one in order.
 */
export function createOpenCalls(): OpenCalls {
  const asked = new Map<string, Asked>();
  let turn = 0;
  /** The last turn that was followed by a result: older calls without a result will never get one. */
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
      // A single call may have any number of results.
      const call = calls[calls.length === 1 ? 0 : known.answers++];
      known.kind ??= kindOf(calls);
      return call === undefined ? NO_ANSWER : { call, kind: known.kind };
    },
  };
}

/** In all calls with one id together. Longer ones are not read, since that could take long. */
const MOST_READ = 200_000;

/** Some of several calls may have no result: if their kinds differ, a result could be attributed to the wrong one. */
function kindOf(calls: readonly ToolCall[]): ToolKind {
  let characters = 0;
  for (const call of calls) characters += call.name.length + call.arguments.length;
  if (characters > MOST_READ) return "file";
  const [kind = "file", ...others] = new Set(calls.map(resultKindOf));
  return others.length === 0 ? kind : "file";
}
