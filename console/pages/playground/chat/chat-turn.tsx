import { useState } from "react";
import { useAsk } from "../../../api/use-ask.ts";
import { Button } from "../../../parts/button.tsx";
import { CopyButton } from "../../../parts/copy.tsx";
import { counted, credits, number } from "../../../parts/format.ts";
import { Icon } from "../../../parts/icons/icon.tsx";
import { Markdown } from "../../../parts/markdown/markdown.tsx";
import { Paid, ReceiptLink } from "../paid.tsx";
import { PlayProblem } from "../play-problem.tsx";
import type { ChatEnd } from "../replies.ts";
import type { Turn } from "./use-chat.ts";

const ASK_AGAIN_MS = 1_000;

type ChatTurnProps = {
  readonly turn: Turn;
  /** Undefined if the conversation has continued since. */
  readonly onRetry: (() => void) | undefined;
};

export function ChatTurn({ turn, onRetry }: ChatTurnProps) {
  const { state, answer, end, problem, requestId } = turn;
  const [isPlain, setPlain] = useState(false);
  return (
    <>
      <div className="said by-person">
        <span className="visually-hidden">You: </span>
        <span dir="auto">{turn.asked}</span>
      </div>
      <div className="said by-model" aria-busy={state === "writing"}>
        <span className="visually-hidden">Answer: </span>
        {isPlain ? <p dir="auto">{answer}</p> : <Markdown text={answer} isWriting={state === "writing"} />}
        {state === "stopped" && answer === "" && <span className="dim">Stopped before the first word.</span>}
        {problem && (
          <PlayProblem problem={problem}>
            {onRetry && (
              <Button icon={<Icon name="rotate-ccw" />} onClick={onRetry}>
                Try again
              </Button>
            )}
          </PlayProblem>
        )}
        {end && <TurnEnd end={end} answer={answer} isPlain={isPlain} onPlain={setPlain} />}
        {state === "stopped" && requestId && <LeftCost requestId={requestId} how="Stopped" />}
        {state === "broken" && requestId && <LeftCost requestId={requestId} how="Interrupted" />}
      </div>
    </>
  );
}

type TurnEndProps = {
  readonly end: ChatEnd;
  readonly answer: string;
  /** Shows the text as the model wrote it, with its Markdown. */
  readonly isPlain: boolean;
  onPlain(isPlain: boolean): void;
};

function TurnEnd({ end, answer, isPlain, onPlain }: TurnEndProps) {
  const { usage, efficiency } = end;
  return (
    <div className="turn-end">
      <Paid payment={end} requestId={end.request_id}>
        <span>
          {number(usage.input_tokens)} in, {counted(usage.output_tokens, "token")} out
        </span>
        <span className={efficiency.tokens_saved > 0 ? "gain" : ""} title={efficiency.actions.join(", ")}>
          {counted(efficiency.tokens_saved, "token")} saved
        </span>
        {end.finish_reason === "length" && <span>cut off at the token limit</span>}
        {end.finish_reason === "content_filter" && <span>ended by the model's filter</span>}
      </Paid>
      <Button
        look="quiet"
        isIconOnly
        icon={<Icon name="type" />}
        title="As written"
        aria-pressed={isPlain}
        onClick={() => onPlain(!isPlain)}
      >
        Show as written
      </Button>
      <CopyButton text={answer} what="the answer" />
    </div>
  );
}

/** The stream was stopped before it reported its cost; what was written until then is charged, and on the receipt. */
function LeftCost({ requestId, how }: { requestId: string; how: string }) {
  const [isSettled, setSettled] = useState(false);
  const { data } = useAsk("request.get", { requestId }, { isOff: isSettled, everyMs: ASK_AGAIN_MS });
  const receipt = data?.settledAt ? data : null;
  if (receipt && !isSettled) setSettled(true);
  return (
    <div className="turn-end">
      <p className="paid">
        <span>{how}</span>
        {receipt && (
          <>
            <span>{credits(receipt.credits)}</span>
            {receipt.leftAfter !== null && <span>{number(receipt.leftAfter)} left</span>}
            <ReceiptLink requestId={requestId} />
          </>
        )}
      </p>
    </div>
  );
}
