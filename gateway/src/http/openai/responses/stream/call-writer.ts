import { isUnfinished, ObjectText } from "../../../../kit/index.ts";
import type { CallWithReasoning, ItemMaker, ItemStatus } from "../output-item.ts";
import type { EventWriter } from "./event-writer.ts";

/** A tool call that is being written. */
export type OpenCall = {
  readonly kind: "call";
  /** Index of the call in the answer. */
  readonly number: number;
  /** True once the arguments are complete. */
  readonly isWhole: boolean;
  /** True if the arguments must go on: there are none yet, or they are an object that has not ended. */
  readonly isUnfinished: boolean;
  arguments(text: string): void;
  /** Returns the JSON text of the item. */
  close(status: ItemStatus): string;
};

export function openCall(input: {
  readonly writer: EventWriter;
  readonly maker: ItemMaker;
  readonly index: number;
  readonly number: number;
  readonly start: Omit<CallWithReasoning, "arguments">;
}): OpenCall {
  const { writer, maker, index, number, start } = input;
  const opened = maker.call(index, { ...start, arguments: "" }, "in_progress");
  const place = `"item_id":"${opened.id}","output_index":${index}`;
  const pieces: string[] = [];
  /** Has the pieces before `read`. Filled on demand: for most calls, the last of their answer, nobody asks. */
  const object = new ObjectText();
  let read = 0;
  writer.write("response.output_item.added", `"output_index":${index},"item":${JSON.stringify(opened)}`);

  function emit(piece: string): void {
    writer.write("response.function_call_arguments.delta", `${place},"delta":${JSON.stringify(piece)}`);
  }

  return {
    kind: "call",
    number,
    get isWhole() {
      for (; read < pieces.length; read++) object.push(pieces[read] ?? "");
      return object.isWhole;
    },
    get isUnfinished() {
      return isUnfinished(pieces.join(""));
    },
    arguments(piece) {
      // White space before the arguments is dropped.
      if (piece === "" || (pieces.length === 0 && piece.trim() === "")) return;
      pieces.push(piece);
      // The input of a custom tool is wrapped in JSON here and a search has no text: both are sent only once complete.
      if (opened.type === "function_call") emit(piece);
    },
    close(status) {
      const item = maker.call(index, { ...start, arguments: pieces.join("") }, status);
      if (item.type === "custom_tool_call") {
        const said = JSON.stringify(item.input);
        writer.write("response.custom_tool_call_input.delta", `${place},"delta":${said}`);
        writer.write("response.custom_tool_call_input.done", `${place},"input":${said}`);
      } else if (item.type === "function_call") {
        if (pieces.length === 0 && item.arguments !== "") emit(item.arguments);
        const said = `"name":${JSON.stringify(item.name)},"arguments":${JSON.stringify(item.arguments)}`;
        writer.write("response.function_call_arguments.done", `${place},${said}`);
      }
      const written = JSON.stringify(item);
      writer.write("response.output_item.done", `"output_index":${index},"item":${written}`);
      return written;
    },
  };
}
