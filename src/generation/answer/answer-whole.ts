import type { TextModel } from "../../catalog/index.ts";
import { assert, failpoint, present } from "../../kit/index.ts";
import type { BreakerPermit, Registry } from "../../providers/index.ts";
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

/** Who waits for the answer, and the target that is being asked. */
export type WholeReader = {
  hasLeft: boolean;
  /** It bills the answer even if nobody waits for it any more. */
  isBilledAnyway: boolean;
  target: string;
};

/**
 * A non-streamed answer: tries the model's targets in order, within one hold, until one answers. Kept short, since
 * most calls take this path. A stop ends it whether or not the provider reacts.
 */
export function answerWhole(
  input: TargetsInput,
  call: Stoppable,
  reader: WholeReader = { hasLeft: false, isBilledAnyway: false, target: "" },
): Promise<TargetBatch> {
  return untilStopped(call, (attempting) => askInTurn(input, { call, attempting, reader }));
}

async function askInTurn(
  input: TargetsInput,
  { call, attempting, reader }: { call: Stoppable; attempting: Attempting; reader: WholeReader },
): Promise<TargetBatch> {
  const turns = turnsOf(input.model.targets);
  const isBilledAnyway = (at: number) => {
    const { provider } = present(turns[at], "a target");
    return input.registry.text(provider).onDisconnect === "drain";
  };
  for (let at = 0; ; at++) {
    let permit: BreakerPermit | null = null;
    reader.isBilledAnyway = isBilledAnyway(at);
    try {
      const armed = failpoint("before_upstream_send");
      if (armed) await armed;
      const attempt = attemptTarget(input, present(turns[at], "a target"));
      const { text, target } = attempt;
      permit = attempt.permit;
      reader.target = target;
      attempting.controller = attempt.context.controller;
      assert(text.answer, "asked only where every target can");
      const coming = text.answer(attempt.upstreamModel, input.request, attempt.context);
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
      const mayGoOn = () =>
        mayAskNext(error, { turns, at, call }) && (!reader.hasLeft || isBilledAnyway(at + 1));
      if (!mayGoOn()) throw error;
      await pauseBeforeNext(error, { turns, at }, attempting.controller);
      // The client may have left meanwhile.
      if (!mayGoOn()) throw error;
    }
  }
}
