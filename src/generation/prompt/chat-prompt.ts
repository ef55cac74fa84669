import type { ChatMessage, ChatRequest, WireRequest } from "../../providers/index.ts";

/** Where the texts of the messages stand in the caller's own body. */
export type WireTexts = {
  /** Whether the text of the message at this place could not be written there again: it stays as it is. */
  isFixed(this: void, at: number): boolean;
  /** Whether that text is put together from several and stands nowhere as one: a reference to it would name nothing. */
  isPutTogether?(this: void, at: number): boolean;
  /** The body with the texts of the messages that changed; everything else in it is the very same. */
  rewrite(this: void, messages: readonly ChatMessage[], changed: readonly number[]): WireRequest["body"];
};

/** What a caller asks of a model, before the hold says how long the answer may get. */
export type ChatPrompt = NeutralPart &
  PromptNotes & {
    /** The same in the caller's own wire, for providers that speak it. */
    readonly wire?: WireRequest & { readonly texts: WireTexts };
  };

/** Where the conversation stands in the caller's own body. */
export function conversationField({ wire }: Pick<ChatPrompt, "wire">): "messages" | "input" {
  return wire?.kind === "responses" ? "input" : "messages";
}

/** What every provider gets of it. */
type NeutralPart = Omit<ChatRequest, "maxOutputTokens" | "inOnePiece" | "wire">;

/** What is known of it for choosing a target, compaction, hold and charge: no provider gets it. */
type PromptNotes = {
  /** The provider is asked to drop or shorten messages itself where they become too many. */
  readonly isContextManaged?: boolean;
  /** At most so many may be read in `wire` beyond what the neutral fields show: held for, and charged at most. */
  readonly unseenTokens?: number;
  /** So many pictures are in `wire` alone: held for by the model's bound of one. */
  readonly unseenImages?: number;
  /** The field with what this provider cannot read and the conversation cannot do without; null where it reads all. */
  readonly unreadableTo?: (provider: string) => string | null;
  /** Which words those are, of all that was sent in a body. */
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
  /** As our own count has them, which is how they were sent. */
  readonly messages: readonly ChatMessage[];
};

export type UnseenText = {
  readonly text: string;
  /** Of what only its own provider can read. */
  readonly sealedCharacters: number;
};
