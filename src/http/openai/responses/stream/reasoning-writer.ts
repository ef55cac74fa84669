import type { ReasoningPart } from "../../../../providers/index.ts";
import type { ItemMaker } from "../output-item.ts";
import type { EventWriter } from "./event-writer.ts";

/**
 * A reasoning item that is being written. Its summary and its content have the same texts, one for each stretch that the
 * provider signs.
 */
export type OpenReasoning = {
  readonly kind: "reasoning";
  text(text: string): void;
  signature(signature: string): void;
  /** Returns the JSON text of the item. */
  close(): string;
};

export function openReasoning(writer: EventWriter, maker: ItemMaker, index: number): OpenReasoning {
  const opened = maker.reasoning(index, []);
  const parts: ReasoningPart[] = [];
  let pieces: string[] = [];
  let texts = 0;
  writer.write("response.output_item.added", `"output_index":${index},"item":${JSON.stringify(opened)}`);

  function inSummary(): string {
    return `"item_id":"${opened.id}","output_index":${index},"summary_index":${texts}`;
  }

  function inContent(): string {
    return `"item_id":"${opened.id}","output_index":${index},"content_index":${texts}`;
  }

  function openPart(): void {
    const summary = '{"type":"summary_text","text":""}';
    writer.write("response.reasoning_summary_part.added", `${inSummary()},"part":${summary}`);
    const content = '{"type":"reasoning_text","text":""}';
    writer.write("response.content_part.added", `${inContent()},"part":${content}`);
  }

  function closePart(signature?: string): void {
    const text = pieces.join("");
    if (text !== "") {
      const said = JSON.stringify(text);
      writer.write("response.reasoning_summary_text.done", `${inSummary()},"text":${said}`);
      const summary = `{"type":"summary_text","text":${said}}`;
      writer.write("response.reasoning_summary_part.done", `${inSummary()},"part":${summary}`);
      writer.write("response.reasoning_text.done", `${inContent()},"text":${said}`);
      const content = `{"type":"reasoning_text","text":${said}}`;
      writer.write("response.content_part.done", `${inContent()},"part":${content}`);
      texts += 1;
    }
    if (text !== "" || signature !== undefined)
      parts.push({ text, ...(signature === undefined ? {} : { signature }) });
    pieces = [];
  }

  return {
    kind: "reasoning",
    text(text) {
      if (text === "") return;
      if (pieces.length === 0) openPart();
      pieces.push(text);
      const delta = JSON.stringify(text);
      writer.write("response.reasoning_summary_text.delta", `${inSummary()},"delta":${delta}`);
      writer.write("response.reasoning_text.delta", `${inContent()},"delta":${delta}`);
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
