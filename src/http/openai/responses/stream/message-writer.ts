import { encodeAnnotations } from "../annotations.ts";
import { encodeLogprobs } from "../logprobs.ts";
import {
  type ItemMaker,
  type ItemStatus,
  type MessageItem,
  type MessagePart,
  textPart,
} from "../output-item.ts";
import type { EventWriter } from "./event-writer.ts";

/** A message that is being written. */
export type OpenMessage = {
  readonly kind: "message";
  text(text: string, logprobs: readonly unknown[]): void;
  refusal(text: string): void;
  /** Adds the log probabilities of text that was just sent; ignored if no text part is open. */
  logprobs(content: readonly unknown[]): void;
  /** Adds citations to the open text part; false if none is open. */
  annotations(content: readonly unknown[]): boolean;
  close(status: ItemStatus): MessageItem;
};

type OpenPart = {
  readonly kind: "text" | "refusal";
  /** The JSON members that every event of the part begins with. */
  readonly place: string;
  readonly pieces: string[];
  readonly logprobs: unknown[];
  readonly annotations: unknown[];
};

const NO_LOGPROBS = ',"logprobs":[]';

export function openMessage(writer: EventWriter, maker: ItemMaker, index: number): OpenMessage {
  const opened = maker.message(index, [], "in_progress");
  const content: MessagePart[] = [];
  let part: OpenPart | null = null;
  writer.write("response.output_item.added", `"output_index":${index},"item":${JSON.stringify(opened)}`);

  function partOf(kind: OpenPart["kind"]): OpenPart {
    if (part?.kind === kind) return part;
    closePart();
    const place = `"item_id":"${opened.id}","output_index":${index},"content_index":${content.length}`;
    part = { kind, place, pieces: [], logprobs: [], annotations: [] };
    const empty: MessagePart = kind === "text" ? textPart("", [], []) : { type: "refusal", refusal: "" };
    writer.write("response.content_part.added", `${place},"part":${JSON.stringify(empty)}`);
    return part;
  }

  function closePart(): void {
    if (part === null) return;
    const { kind, place, pieces, logprobs, annotations } = part;
    const text = pieces.join("");
    const done: MessagePart =
      kind === "text" ? textPart(text, logprobs, annotations) : { type: "refusal", refusal: text };
    if (done.type === "output_text") {
      const said = `"text":${JSON.stringify(text)},"logprobs":${JSON.stringify(done.logprobs)}`;
      writer.write("response.output_text.done", `${place},${said}`);
    } else {
      writer.write("response.refusal.done", `${place},"refusal":${JSON.stringify(text)}`);
    }
    writer.write("response.content_part.done", `${place},"part":${JSON.stringify(done)}`);
    content.push(done);
    part = null;
  }

  return {
    kind: "message",
    text(text, logprobs) {
      const open = partOf("text");
      open.pieces.push(text);
      let tail = NO_LOGPROBS;
      if (logprobs.length > 0) {
        open.logprobs.push(...logprobs);
        tail = `,"logprobs":${JSON.stringify(encodeLogprobs(logprobs))}`;
      }
      writer.write("response.output_text.delta", `${open.place},"delta":${JSON.stringify(text)}${tail}`);
    },
    refusal(text) {
      const open = partOf("refusal");
      open.pieces.push(text);
      writer.write("response.refusal.delta", `${open.place},"delta":${JSON.stringify(text)}`);
    },
    logprobs(given) {
      if (part?.kind === "text") part.logprobs.push(...given);
    },
    annotations(given) {
      if (part?.kind !== "text") return false;
      const { place, annotations } = part;
      for (const annotation of encodeAnnotations(given)) {
        const added = `"annotation_index":${annotations.length},"annotation":${JSON.stringify(annotation)}`;
        annotations.push(annotation);
        writer.write("response.output_text.annotation.added", `${place},${added}`);
      }
      return true;
    },
    close(status) {
      // A message always has a part, even if it is empty.
      if (content.length === 0) partOf(part?.kind ?? "text");
      closePart();
      const item = maker.message(index, content, status);
      writer.write("response.output_item.done", `"output_index":${index},"item":${JSON.stringify(item)}`);
      return item;
    },
  };
}
