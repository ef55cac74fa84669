import type { ChatMessage, ReasoningPart, ToolCall } from "../../../../contract/index.ts";
import { NO_PLACE } from "./item-texts.ts";

/**
 * Assembles items into messages. What the model said in one turn comes as several items (reasoning, text, calls) and
 * becomes one message, as providers of chat completions require: a tool's result must follow the message with its call.
 */
export type Conversation = {
  /** Sets the index of the item that the next calls are about. */
  readsItem(place: number): void;
  add(message: ChatMessage): void;
  said(text: string): void;
  called(call: ToolCall): void;
  thought(parts: readonly ReasoningPart[]): void;
  /** The same as plain text; used only if the turn has no sealed reasoning. */
  echoed(parts: readonly ReasoningPart[]): void;
  /** Ends the open turn, and returns all messages. */
  messages(): readonly ChatMessage[];
  /** For each message, the index of the item with its text, or NO_PLACE. */
  readonly places: readonly number[];
};

type Turn = {
  readonly texts: readonly string[];
  readonly place: number;
  readonly calls: readonly ToolCall[];
  readonly reasoning: readonly ReasoningPart[];
  readonly echoes: readonly ReasoningPart[];
};

/** Part of a turn: a new stretch begins when the model writes text again after reasoning. */
type Stretch = {
  readonly texts: string[];
  place: number;
  readonly calls: ToolCall[];
  readonly reasoning: ReasoningPart[];
  readonly echoes: ReasoningPart[];
  hasThoughtSince: boolean;
};

export function createConversation(): Conversation {
  const messages: ChatMessage[] = [];
  const places: number[] = [];
  /** Stretches of the open turn. */
  let stretches: Stretch[] = [];
  let item = NO_PLACE;

  function begin(): Stretch {
    const stretch: Stretch = {
      texts: [],
      place: NO_PLACE,
      calls: [],
      reasoning: [],
      echoes: [],
      hasThoughtSince: false,
    };
    stretches.push(stretch);
    return stretch;
  }

  const open = () => stretches.at(-1) ?? begin();

  function close(): void {
    for (const turn of turnsOf(stretches)) {
      // Reasoning alone is useless to a provider, and an empty message is refused.
      if (turn.texts.length > 0 || turn.calls.length > 0) push(messageOf(turn), turn.place);
    }
    stretches = [];
  }

  function push(message: ChatMessage, place: number): void {
    messages.push(message);
    places.push(place);
  }

  function say(said: Stretch, text: string): void {
    said.texts.push(text);
    said.place = item;
    said.hasThoughtSince = false;
  }

  function think(kept: "reasoning" | "echoes", parts: readonly ReasoningPart[]): void {
    const stretch = open();
    stretch[kept].push(...parts);
    if (parts.length > 0) stretch.hasThoughtSince = true;
  }

  return {
    places,
    readsItem(place) {
      item = place;
    },
    add(message) {
      close();
      push(message, item);
    },
    said(text) {
      const said = open();
      if (said.texts.length === 0) say(said, text);
      else if (said.calls.length > 0) {
        said.texts.push(text);
        said.place = NO_PLACE;
      } else {
        if (!said.hasThoughtSince) close();
        say(begin(), text);
      }
    },
    called: (call) => void open().calls.push(call),
    thought: (parts) => think("reasoning", parts),
    echoed: (parts) => think("echoes", parts),
    messages() {
      close();
      return messages;
    },
  };
}

/** One turn, unless any reasoning is signed: that must stay after the text before it, not in front of all text. */
function turnsOf(stretches: readonly Stretch[]): readonly Turn[] {
  if (stretches.length < 2 || stretches.some(({ reasoning }) => hasSigned(reasoning))) return stretches;
  return [
    {
      texts: stretches.flatMap(({ texts }) => texts),
      place: NO_PLACE,
      calls: stretches.flatMap(({ calls }) => calls),
      reasoning: stretches.flatMap(({ reasoning }) => reasoning),
      echoes: stretches.flatMap(({ echoes }) => echoes),
    },
  ];
}

function hasSigned(reasoning: readonly ReasoningPart[]): boolean {
  return reasoning.some(({ signature }) => signature !== undefined);
}

function messageOf({ texts, calls, reasoning: kept, echoes }: Turn): ChatMessage {
  // Sealed reasoning is what the model really wrote; an echo is only a copy of the text.
  const reasoning = kept.length > 0 ? kept : echoes;
  // Signed reasoning is put back in its place by counting characters, so nothing may be inserted.
  const content = texts.join(hasSigned(kept) ? "" : "\n\n");
  return {
    role: "assistant",
    content: texts.length === 0 ? null : content,
    ...(calls.length === 0 ? {} : { toolCalls: calls }),
    ...(reasoning.length === 0 ? {} : { reasoning }),
  };
}
