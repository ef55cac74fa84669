import type { ReasoningPart } from "../../../../contract/index.ts";
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
  const place = `"item_id":"${opened.id}","output_index":${index}`;

  /** Writes an event of the summary and its counterpart of the content. */
  function tell(ofSummary: string, ofContent: string, membersFor: (partType: string) => string): void {
    const inSummary = `${place},"summary_index":${texts},${membersFor("summary_text")}`;
    writer.write(`response.reasoning_summary_${ofSummary}`, inSummary);
    writer.write(
      `response.${ofContent}`,
      `${place},"content_index":${texts},${membersFor("reasoning_text")}`,
    );
  }

  function closePart(signature?: string): void {
    const text = pieces.join("");
    if (text !== "") {
      const said = JSON.stringify(text);
      tell("text.done", "reasoning_text.done", () => `"text":${said}`);
      tell("part.done", "content_part.done", (type) => `"part":{"type":"${type}","text":${said}}`);
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
      if (pieces.length === 0)
        tell("part.added", "content_part.added", (type) => `"part":{"type":"${type}","text":""}`);
      pieces.push(text);
      const delta = `"delta":${JSON.stringify(text)}`;
      tell("text.delta", "reasoning_text.delta", () => delta);
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
