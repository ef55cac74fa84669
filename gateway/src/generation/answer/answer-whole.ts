import type { TextModel } from "../../catalog/index.ts";
import type { Registry } from "../../contract/index.ts";
import { assert, failpoint, present } from "../../kit/index.ts";
import type { BreakerPermit } from "../../outbound/index.ts";
import type { TargetBatch } from "../targets/chat-targets.ts";
import { attemptTarget, brokeOff, failpointAfterSend, type TargetsInput } from "../targets/target-attempt.ts";
import {
  type Attempting,
  mayAskNext,
  pauseBeforeNext,
  type Stoppable,
  turnsOf,
  untilStopped,
} from "../targets/targets-in-turn.ts";

/** True if every target of the model can answer without streaming: which one will answer is not known beforehand. */
export function canAnswerWhole(registry: Registry, model: TextModel): boolean {
  return model.targets.every(({ provider }) => registry.text(provider).answer !== undefined);
}

type WholeInput = TargetsInput & {
  /** Called with the target whose headers have come; with null before each is asked. */
  onAnswered?(this: void, target: string | null): void;
};

/**
 * A non-streamed answer: tries the model's targets in order, within one hold, until one answers. Kept short, since
 * most calls take this path. A stop ends it whether or not the provider reacts.
 */
export function answerWhole(input: WholeInput, call: Stoppable): Promise<TargetBatch> {
  return untilStopped(call, (attempting) => askInTurn(input, call, attempting));
}

async function askInTurn(input: WholeInput, call: Stoppable, attempting: Attempting): Promise<TargetBatch> {
  const turns = turnsOf(input.model.targets);
  for (let at = 0; ; at++) {
    let permit: BreakerPermit | null = null;
    try {
      const armed = failpoint("before_upstream_send");
      if (armed) await armed;
      const attempt = attemptTarget(input, present(turns[at], "a target"));
      const { text, target } = attempt;
      permit = attempt.permit;
      input.onAnswered?.(null);
      const onAnswered = () => input.onAnswered?.(target);
      attempting.controller = attempt.context.controller;
      assert(text.answer, "asked only where every target can");
      const coming = text.answer(attempt.upstreamModel, input.request, { ...attempt.context, onAnswered });
      const sent = failpointAfterSend(coming);
      if (sent) await sent;
      const events = await coming;
      if (events.at(-1)?.type !== "finish") throw brokeOff();
      const reading = failpoint("before_usage");
      if (reading) await reading;
      permit.succeeded();
      return { target, events };
    } catch (error) {
      permit?.failed(error);
      if (!mayAskNext(error, { turns, at, call })) throw error;
      await pauseBeforeNext(error, { turns, at }, attempting.controller);
    }
  }
}
