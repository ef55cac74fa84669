import type { ReasoningPart } from "../../../../providers/index.ts";
import type { ItemMaker } from "../output-item.ts";
import type { EventWriter } from "./event-writer.ts";

/** A reasoning item that is being written. Its summary has one part for each stretch that the provider signs. */
export type OpenReasoning = {
  readonly kind: "reasoning";
  text(text: string): void;
  signature(signature: string): void;
  /** Returns the JSON text of the item. */
  close(): string;
};

export function openReasoning(writer: EventWriter, maker: ItemMaker, index: number): OpenReasoning {
  const opened = { ...maker.reasoning(index, []), summary: [] };
  const parts: ReasoningPart[] = [];
  let pieces: string[] = [];
  let summaries = 0;
  writer.write("response.output_item.added", `"output_index":${index},"item":${JSON.stringify(opened)}`);

  function place(): string {
    return `"item_id":"${opened.id}","output_index":${index},"summary_index":${summaries}`;
  }

  function closePart(signature?: string): void {
    const text = pieces.join("");
    if (text !== "") {
      const said = JSON.stringify(text);
      writer.write("response.reasoning_summary_text.done", `${place()},"text":${said}`);
      const part = `{"type":"summary_text","text":${said}}`;
      writer.write("response.reasoning_summary_part.done", `${place()},"part":${part}`);
      summaries += 1;
    }
    if (text !== "" || signature !== undefined)
      parts.push({ text, ...(signature === undefined ? {} : { signature }) });
    pieces = [];
  }

  return {
    kind: "reasoning",
    text(text) {
      if (text === "") return;
      if (pieces.length === 0) {
        const part = '{"type":"summary_text","text":""}';
        writer.write("response.reasoning_summary_part.added", `${place()},"part":${part}`);
      }
      pieces.push(text);
      writer.write("response.reasoning_summary_text.delta", `${place()},"delta":${JSON.stringify(text)}`);
    },
    signature: (signature) => closePart(signature),
    close() {
      closePart();
      const item = JSON.stringify(maker.reasoning(index, parts));
      writer.write("response.output_item.done", `"output_index":${index},"item":${item}`);
      return item;
    },
  };
}
