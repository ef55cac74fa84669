import type { ChatMessage, ReasoningPart, ToolCall } from "../../../providers/index.ts";
import { NO_PLACE } from "./item-texts.ts";

/**
 * Puts items together to messages. What the model said in one turn comes as several items (reasoning, text, calls) and
 * becomes one message, as providers that speak chat want it: a tool's result must follow the message that asked for it.
 */
export type Conversation = {
  /** What follows stands in the item at this place. */
  readsItem(place: number): void;
  add(message: ChatMessage): void;
  said(text: string): void;
  called(call: ToolCall): void;
  thought(parts: readonly ReasoningPart[]): void;
  /** The same in words alone: counts where nothing else tells what was thought. */
  echoed(parts: readonly ReasoningPart[]): void;
  /** Closes what is open. */
  messages(): readonly ChatMessage[];
  /** Of each message, the item that has its text. */
  readonly places: readonly number[];
};

type Turn = {
  readonly texts: readonly string[];
  readonly place: number;
  readonly calls: readonly ToolCall[];
  readonly reasoning: readonly ReasoningPart[];
  readonly echoes: readonly ReasoningPart[];
};

/** Up to where the model spoke again after it had thought. */
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
  /** Of the turn that is open. */
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
      // Reasoning that led to nothing says nothing to a provider, and an empty message is refused.
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

/** One, but for thoughts that are signed: these stand behind the text before them, and not in front of all. */
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
  // What came back sealed is what the model really thought; an echo is only a copy of its words.
  const reasoning = kept.length > 0 ? kept : echoes;
  // A provider that signs its thoughts counts the characters between them.
  const content = texts.join(hasSigned(kept) ? "" : "\n\n");
  return {
    role: "assistant",
    content: texts.length === 0 ? null : content,
    ...(calls.length === 0 ? {} : { toolCalls: calls }),
    ...(reasoning.length === 0 ? {} : { reasoning }),
  };
}
