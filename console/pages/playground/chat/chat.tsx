import { type FormEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import type { ModelRow } from "../../../../gateway/src/http/console/contract.ts";
import { Button } from "../../../parts/button.tsx";
import { Card } from "../../../parts/card.tsx";
import { Icon } from "../../../parts/icons/icon.tsx";
import { Empty } from "../../../parts/states.tsx";
import { CurlCard } from "../curl-card.tsx";
import { ModelField } from "../model-field.tsx";
import type { PlayCall } from "../play.ts";
import { useModel } from "../use-model.ts";
import { type ChatChoices, ChatSettings, NO_CHOICES } from "./chat-settings.tsx";
import { ChatTurn } from "./chat-turn.tsx";
import { messagesOf, type Turn, useChat } from "./use-chat.ts";

const SAMPLE = "Say hello in three languages.";
const STARTS = [SAMPLE, "Explain credits to a child.", "Write a haiku about the sea."];

export function ChatPanel({ models }: { models: readonly [ModelRow, ...ModelRow[]] }) {
  const { model, choose } = useModel(models);
  const [choices, setChoices] = useState<ChatChoices>(NO_CHOICES);
  const [draft, setDraft] = useState("");
  const chat = useChat();
  const box = useRef<HTMLTextAreaElement>(null);
  const callFor = (asked: string) => callOf({ model, choices, turns: chat.turns, asked });
  async function send(asked: string): Promise<void> {
    if (asked.trim() === "" || chat.isWriting) return;
    setDraft("");
    goOn();
    const wasAsked = await chat.ask(asked, callFor(asked));
    // Put before what was typed meanwhile.
    if (!wasAsked) setDraft((since) => (since === "" ? asked : `${asked}\n${since}`));
  }
  /** A pressed button may disappear: if it was pressed by keyboard, the focus moves to the text box. */
  function goOn() {
    if (document.activeElement?.matches("button:focus-visible")) box.current?.focus();
  }
  return (
    <div className="play">
      <div className="play-main stack">
        <section className="card chat" aria-label="Conversation">
          <div className="chat-head">
            <ModelField models={models} model={model} onChoose={choose} />
            <Button
              look="quiet"
              icon={<Icon name="eraser" />}
              disabled={chat.turns.length === 0}
              onClick={() => {
                goOn();
                chat.clear();
              }}
            >
              Start over
            </Button>
          </div>
          <Log turns={chat.turns} onStart={send} onRetry={send} />
          <Composer
            box={box}
            draft={draft}
            isWriting={chat.isWriting}
            onDraft={setDraft}
            onSend={() => send(draft)}
            onStop={() => {
              goOn();
              chat.stop();
            }}
          />
        </section>
        <CurlCard call={callFor(draft.trim() || SAMPLE)} />
      </div>
      <Card title="Settings">
        <ChatSettings
          model={model}
          choices={choices}
          onChange={(changes) => setChoices({ ...choices, ...changes })}
        />
      </Card>
    </div>
  );
}

function callOf(input: {
  model: ModelRow;
  choices: ChatChoices;
  turns: readonly Turn[];
  asked: string;
}): PlayCall {
  const { model, choices, turns, asked } = input;
  const limit = Number(choices.maxTokens);
  return {
    endpoint: "api-v1-chat",
    headers: choices.efficiency === "" ? {} : { "X-Efficiency": choices.efficiency },
    body: {
      model: model.id,
      messages: messagesOf(turns, choices.system, asked),
      stream: true,
      ...(choices.maxTokens === "" ? {} : { max_tokens: limit }),
    },
  };
}

type LogProps = { readonly turns: readonly Turn[]; onStart(text: string): void; onRetry(text: string): void };

function Log({ turns, onStart, onRetry }: LogProps) {
  const ref = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const shown = useRef(0);
  const topPx = useRef(0);
  useEffect(() => {
    const log = ref.current;
    // Scroll to a new question in any case, but to new text of the answer only if the user stayed at the end.
    const isNew = turns.length !== shown.current;
    shown.current = turns.length;
    if (log && turns.length > 0 && (isNew || isAtEnd.current)) log.scrollTop = log.scrollHeight;
  }, [turns]);
  return (
    <div
      ref={ref}
      className="chat-log"
      role="log"
      aria-label="Conversation"
      tabIndex={0}
      onScroll={({ currentTarget: log }) => {
        // New text may have moved the end away from a user who stayed there: only scrolling up counts as leaving it.
        const isUp = log.scrollTop < topPx.current;
        topPx.current = log.scrollTop;
        const isNear = log.scrollHeight - log.scrollTop - log.clientHeight < 48;
        isAtEnd.current = isNear || (isAtEnd.current && !isUp);
      }}
    >
      {turns.length === 0 && (
        <Empty title="Ask something">
          <p>The conversation stays on this page. Each answer shows what it cost.</p>
          <div className="row starts">
            {STARTS.map((text) => (
              <Button key={text} onClick={() => onStart(text)}>
                {text}
              </Button>
            ))}
          </div>
        </Empty>
      )}
      {turns.map((turn, at) => {
        const isLast = at === turns.length - 1;
        return (
          <ChatTurn key={turn.id} turn={turn} onRetry={isLast ? () => onRetry(turn.asked) : undefined} />
        );
      })}
    </div>
  );
}

type ComposerProps = {
  readonly box: RefObject<HTMLTextAreaElement | null>;
  readonly draft: string;
  readonly isWriting: boolean;
  onDraft(text: string): void;
  onSend(): void;
  onStop(): void;
};

/** The key code of every key that an input method has handled. */
const OF_INPUT_METHOD = 229;

function Composer({ box, draft, isWriting, onDraft, onSend, onStop }: ComposerProps) {
  function submit(event: FormEvent) {
    event.preventDefault();
    onSend();
  }
  function onKeyDown(event: KeyboardEvent) {
    // While an input method composes a word, Enter belongs to it. Safari reports the end of composition before the key.
    const { isComposing, keyCode } = event.nativeEvent;
    if (event.key !== "Enter" || event.shiftKey || isComposing || keyCode === OF_INPUT_METHOD) return;
    event.preventDefault();
    onSend();
  }
  return (
    <form className="composer" onSubmit={submit}>
      <textarea
        ref={box}
        className="input"
        aria-label="Message"
        placeholder="Write a message. Enter sends, Shift+Enter starts a new line."
        rows={2}
        value={draft}
        onChange={(event) => onDraft(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {/* Distinct keys: if the same button became Send during the click on Stop, that click would send. */}
      {isWriting ? (
        <Button key="stop" icon={<Icon name="square" />} onClick={onStop}>
          Stop
        </Button>
      ) : (
        <Button
          key="send"
          look="primary"
          type="submit"
          icon={<Icon name="send-horizontal" />}
          disabled={draft.trim() === ""}
        >
          Send
        </Button>
      )}
    </form>
  );
}
