import type { ChatMessage, ChatRequest, WireRequest } from "../../contract/index.ts";

/** Maps the texts of the messages to their places in the caller's own body. */
export type WireTexts = {
  /** True if the result at this index could not be written back, so it must stay as it is. */
  isFixed?(this: void, at: number): boolean;
  /** The body with the texts of the changed messages; everything else in it stays the same. */
  rewrite(this: void, messages: readonly ChatMessage[], changed: readonly number[]): WireRequest["body"];
};

/** The caller's prompt, before the hold decides how long the answer may be. */
export type ChatPrompt = NeutralPart &
  PromptNotes & {
    /** The same request in the caller's own wire, for providers that speak it. */
    readonly wire?: WireRequest & { readonly texts: WireTexts };
  };

/** The field of the caller's own body that holds the conversation. */
export function conversationField({ wire }: Pick<ChatPrompt, "wire">): "messages" | "input" {
  return wire?.kind === "responses" ? "input" : "messages";
}

/** What every provider receives. */
type NeutralPart = Omit<ChatRequest, "maxOutputTokens" | "inOnePiece" | "wire">;

/** Notes for choosing a target, compaction, hold and charge; not sent to any provider. */
type PromptNotes = {
  /** True if the provider is asked to drop or shorten messages when they exceed its context. */
  readonly isContextManaged?: boolean;
  /**
   * Upper bound of the tokens that `wire` may have beyond the neutral fields: held for, and the most that is charged
   * for them.
   */
  readonly unseenTokens?: number;
  /** Images that are only in `wire`: each is held for by the model's bound per image. */
  readonly unseenImages?: number;
  /**
   * The field whose content this provider cannot read although the conversation needs it; null if it reads
   * everything.
   */
  readonly unreadableTo?: (provider: string) => string | null;
  /** Extracts that additional text from a body that was sent. */
  readonly unseenIn?: (sent: SentPrompt) => UnseenText;
};

export function neutralPart({
  wire: _wire,
  isContextManaged: _isContextManaged,
  unseenTokens: _unseenTokens,
  unseenImages: _unseenImages,
  unreadableTo: _unreadableTo,
  unseenIn: _unseenIn,
  ...part
}: ChatPrompt): NeutralPart {
  return part;
}

export type SentPrompt = {
  readonly body: WireRequest["body"];
  /** The messages as we counted and sent them. */
  readonly messages: readonly ChatMessage[];
};

export type UnseenText = {
  readonly text: string;
  /** Length of the encrypted content, which only the provider that made it can read. */
  readonly sealedCharacters: number;
};
