import type { FinishReason, ReportedUsage } from "../providers/index.ts";
import type { TargetBatch } from "./chat-targets.ts";

/** Of one answer at most: far beyond any model's output, short of harm. */
export const MAX_ANSWER_CHARACTERS = 16 * 1024 * 1024;

/** What has come of an answer so far. */
export type ChatAnswer = {
  /** Where it comes from; empty before the first byte. */
  readonly target: string;
  readonly text: string;
  /** Text, reasoning and arguments together: what the model wrote, for our own count of its tokens. */
  readonly written: string;
  /** How long `written` is, without joining it. */
  readonly characters: number;
  readonly finish: { readonly reason: FinishReason; readonly usage: ReportedUsage | null } | null;
  add(batch: TargetBatch): void;
};

/** Pieces are joined when somebody asks: most streams are never asked. */
export function createChatAnswer(): ChatAnswer {
  const text: string[] = [];
  const written: string[] = [];
  let characters = 0;
  let finish: ChatAnswer["finish"] = null;
  let target = "";

  function write(piece: string): void {
    written.push(piece);
    characters += piece.length;
  }

  return {
    get target() {
      return target;
    },
    get text() {
      return text.join("");
    },
    get written() {
      return written.join("");
    },
    get characters() {
      return characters;
    },
    get finish() {
      return finish;
    },
    add(batch) {
      target = batch.target;
      for (const event of batch.events) {
        switch (event.type) {
          case "text":
            text.push(event.text);
            write(event.text);
            break;
          case "reasoning":
          case "refusal":
          case "tool_arguments":
            write(event.text);
            break;
          case "finish":
            finish = { reason: event.reason, usage: event.usage };
            break;
        }
      }
    },
  };
}
