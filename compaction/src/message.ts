/**
 * What compaction reads of a message, whoever made it: a message may have any other fields, which stay as they are.
 */
export type ChatMessage =
  | { readonly role: "system" | "developer"; readonly content: string }
  | { readonly role: "user"; readonly content: string | readonly ContentPart[] }
  | {
      readonly role: "assistant";
      readonly content: string | null;
      readonly toolCalls?: readonly ToolCall[];
      readonly reasoning?: readonly { readonly text: string }[];
    }
  | {
      readonly role: "tool";
      readonly toolCallId: string;
      readonly content: string | readonly ContentPart[];
    };

export type ContentPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image" | "file" | "other"; readonly [field: string]: unknown };

/** `arguments` is JSON, if the model wrote it well. */
export type ToolCall = { readonly id: string; readonly name: string; readonly arguments: string };
