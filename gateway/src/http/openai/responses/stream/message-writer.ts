import { isObject } from "../../../../kit/index.ts";
import { encodeAnnotations } from "../annotations.ts";
import { type ItemMaker, type ItemStatus, listText } from "../output-item.ts";
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
  /** Returns the JSON text of the item. */
  close(status: ItemStatus): string;
};

type OpenPart = {
  readonly kind: "text" | "refusal";
  /** The JSON members that every event of the part begins with. */
  readonly place: string;
  readonly pieces: string[];
  /** The JSON texts of those that came, each of one or more: hundreds of thousands are written only once. */
  readonly logprobs: string[];
  readonly annotations: string[];
};

export function openMessage(writer: EventWriter, maker: ItemMaker, index: number): OpenMessage {
  const { id } = maker.message(index, "in_progress");
  /** The JSON texts of the parts that have ended. */
  const content: string[] = [];
  let part: OpenPart | null = null;
  writer.write("response.output_item.added", `"output_index":${index},"item":${itemText("in_progress")}`);

  function itemText(status: ItemStatus): string {
    const item = JSON.stringify(maker.message(index, status));
    return `${item.slice(0, -1)},"content":${listText(content)}}`;
  }

  function partOf(kind: OpenPart["kind"]): OpenPart {
    if (part?.kind === kind) return part;
    closePart();
    const place = `"item_id":"${id}","output_index":${index},"content_index":${content.length}`;
    part = { kind, place, pieces: [], logprobs: [], annotations: [] };
    const empty = kind === "text" ? textPart('""', "[]", "[]") : refusalPart('""');
    writer.write("response.content_part.added", `${place},"part":${empty}`);
    return part;
  }

  function closePart(): void {
    if (part === null) return;
    const { kind, place, pieces, logprobs, annotations } = part;
    const text = JSON.stringify(pieces.join(""));
    let done: string;
    if (kind === "text") {
      const told = listText(logprobs);
      writer.write("response.output_text.done", `${place},"text":${text},"logprobs":${told}`);
      done = textPart(text, listText(annotations), told);
    } else {
      writer.write("response.refusal.done", `${place},"refusal":${text}`);
      done = refusalPart(text);
    }
    writer.write("response.content_part.done", `${place},"part":${done}`);
    content.push(done);
    part = null;
  }

  return {
    kind: "message",
    text(text, logprobs) {
      const open = partOf("text");
      open.pieces.push(text);
      const told = addLogprobs(open, logprobs);
      const said = `"delta":${JSON.stringify(text)},"logprobs":[${told}]`;
      writer.write("response.output_text.delta", `${open.place},${said}`);
    },
    refusal(text) {
      const open = partOf("refusal");
      open.pieces.push(text);
      writer.write("response.refusal.delta", `${open.place},"delta":${JSON.stringify(text)}`);
    },
    logprobs(given) {
      if (part?.kind === "text") addLogprobs(part, given);
    },
    annotations(given) {
      if (part?.kind !== "text") return false;
      const { place, annotations } = part;
      for (const annotation of encodeAnnotations(given)) {
        const written = JSON.stringify(annotation);
        const added = `"annotation_index":${annotations.length},"annotation":${written}`;
        annotations.push(written);
        writer.write("response.output_text.annotation.added", `${place},${added}`);
      }
      return true;
    },
    close(status) {
      // A message always has a part, even if it is empty.
      if (content.length === 0) partOf(part?.kind ?? "text");
      closePart();
      const written = itemText(status);
      writer.write("response.output_item.done", `"output_index":${index},"item":${written}`);
      return written;
    },
  };
}

/** Returns the JSON texts of the given ones, without the brackets of their list. */
function addLogprobs(part: OpenPart, given: readonly unknown[]): string {
  if (given.length === 0) return "";
  const told = JSON.stringify(encodeLogprobs(given)).slice(1, -1);
  if (told !== "") part.logprobs.push(told);
  return told;
}

/** Each member as JSON text. */
function textPart(text: string, annotations: string, logprobs: string): string {
  return `{"type":"output_text","text":${text},"annotations":${annotations},"logprobs":${logprobs}}`;
}

function refusalPart(text: string): string {
  return `{"type":"refusal","refusal":${text}}`;
}

type Logprob = { readonly token: unknown; readonly logprob: unknown; readonly bytes: unknown };

/** Converts log probabilities from the chat completions format, where `bytes` may be null. */
function encodeLogprobs(given: readonly unknown[]): readonly unknown[] {
  return given.filter(isObject).map((entry) => {
    const top = Array.isArray(entry["top_logprobs"]) ? entry["top_logprobs"] : [];
    return { ...encodeLogprob(entry), top_logprobs: top.filter(isObject).map(encodeLogprob) };
  });
}

function encodeLogprob({ token, logprob, bytes }: Readonly<Record<string, unknown>>): Logprob {
  return { token, logprob, bytes: bytes ?? [] };
}
