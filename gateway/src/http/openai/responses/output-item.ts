import type { ReasoningPart, ToolCall } from "../../../contract/index.ts";
import { unwrapCustomInput } from "../custom-tool.ts";
import type { ItemSeals } from "./decode/decode-item.ts";
import { searchedFor } from "./decode/tool-search.ts";
import type { ToolTable } from "./decode/tool-table.ts";

export type ItemStatus = "in_progress" | "completed" | "incomplete";

/** The JSON text of a list of items, or of the parts of one, each of which is written already. */
export function listText(written: readonly string[]): string {
  return `[${written.join(",")}]`;
}

/** Without its content, which is added where it is written. */
type MessageItem = {
  readonly type: "message";
  readonly id: string;
  readonly status: ItemStatus;
  readonly role: "assistant";
};

type ReasoningItem = {
  readonly type: "reasoning";
  readonly id: string;
  readonly summary: readonly { readonly type: "summary_text"; readonly text: string }[];
  /** The same texts: some clients read one, some the other. */
  readonly content: readonly { readonly type: "reasoning_text"; readonly text: string }[];
  readonly encrypted_content?: string;
};

type CallNames = { readonly call_id: string; readonly name: string; readonly namespace?: string };

type CallItem =
  | ({ readonly type: "function_call"; readonly id: string; readonly status: ItemStatus } & CallNames & {
        readonly arguments: string;
      })
  | ({ readonly type: "custom_tool_call"; readonly id: string; readonly status: ItemStatus } & CallNames & {
        readonly input: string;
      })
  | {
      readonly type: "tool_search_call";
      readonly id: string;
      readonly status: ItemStatus;
      readonly call_id: string;
      readonly execution: "client";
      readonly arguments: unknown;
    };

/** For a call without arguments, since clients parse them in any case. */
const NO_ARGUMENTS = "{}";

/** A tool call, with the reasoning that led to it. */
export type CallWithReasoning = ToolCall & { readonly reasoning?: readonly ReasoningPart[] | undefined };

/** Makes the items of one response. `index` is an item's place in the output, and becomes part of its id. */
export type ItemMaker = {
  message(index: number, status: ItemStatus): MessageItem;
  reasoning(index: number, parts: readonly ReasoningPart[]): ReasoningItem;
  call(index: number, call: CallWithReasoning, status: ItemStatus): CallItem;
};

export function createItemMaker(input: {
  /** Id of the call that generated the answer, so that a repeat has the same item ids. */
  readonly requestId: string;
  readonly table: ToolTable;
  readonly seals: ItemSeals;
  /** True if the client asked for `encrypted_content`, to send it back with the next turn. */
  readonly keepsReasoning: boolean;
}): ItemMaker {
  const { requestId, table, seals, keepsReasoning } = input;

  return {
    message: (index, status) => {
      return { type: "message", id: `msg_${requestId}_${index}`, status, role: "assistant" };
    },
    reasoning(index, parts) {
      // Signatures are included even if nobody asked for them: a client that sends items back unchanged preserves them.
      const isCarried = keepsReasoning || parts.some(({ signature }) => signature !== undefined);
      const sealed = isCarried ? seals.reasoningSeal.seal(parts) : null;
      const texts = parts.flatMap(({ text }) => (text === "" ? [] : [text]));
      return {
        type: "reasoning",
        id: `rs_${requestId}_${index}`,
        summary: texts.map((text) => ({ type: "summary_text", text })),
        content: texts.map((text) => ({ type: "reasoning_text", text })),
        ...(sealed === null ? {} : { encrypted_content: sealed }),
      };
    },
    call(index, call, status) {
      const { kind, name, namespace } = table.callerTool(call.name);
      // Clients that drop reasoning items still send a call's id back.
      const reasoning = keepsReasoning ? undefined : call.reasoning;
      const callId = seals.callSeal.seal(call.id, call.signature, reasoning);
      const names = {
        call_id: callId,
        name,
        ...(namespace === undefined ? {} : { namespace }),
      };
      // Blank arguments count as none.
      const given = call.arguments.trim() === "" ? "" : call.arguments;
      if (kind === "function") {
        const id = `fc_${requestId}_${index}`;
        const isBare = given === "" && status === "completed";
        return { type: "function_call", id, status, ...names, arguments: isBare ? NO_ARGUMENTS : given };
      }
      if (kind === "search") {
        const id = `tsc_${requestId}_${index}`;
        const said = { execution: "client", arguments: searchedFor(given) } as const;
        return { type: "tool_search_call", id, status, call_id: callId, ...said };
      }
      const text = unwrapCustomInput(given);
      return { type: "custom_tool_call", id: `ctc_${requestId}_${index}`, status, ...names, input: text };
    },
  };
}
