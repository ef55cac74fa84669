import type { Target, TextModel } from "../catalog/index.ts";
import { assert, failpoint } from "../kit/index.ts";
import type { Registry } from "../providers/index.ts";
import type { TargetBatch } from "./chat-targets.ts";
import { attemptTarget, brokeOff, type TargetsInput } from "./target-attempt.ts";
import { type Attempting, type Stoppable, targetsInTurn, untilStopped } from "./targets-in-turn.ts";

/** Can every target of the model answer in one piece without a stream? Which one will, nobody knows before. */
export function canAnswerWhole(registry: Registry, model: TextModel): boolean {
  return model.targets.every(({ provider }) => registry.text(provider).answer !== undefined);
}

/**
 * An answer in one piece: the model's targets in order, within one hold, until one answers. The shortest way
 * there is, since most calls of most applications take it. A stop ends it whether the provider heeds it or not.
 */
export function answerWhole(input: TargetsInput, call: Stoppable): Promise<TargetBatch> {
  return untilStopped(call, (attempting) =>
    targetsInTurn(input.model.targets, call, (to) => askTarget(input, to, attempting)),
  );
}

async function askTarget(input: TargetsInput, to: Target, attempting: Attempting): Promise<TargetBatch> {
  const armed = failpoint("before_upstream_send");
  if (armed) await armed;
  const { target, upstreamModel, text, permit, context } = attemptTarget(input, to);
  attempting(context.controller);
  assert(text.answer, "asked only where every target can");
  try {
    const events = await text.answer(upstreamModel, input.request, context);
    if (events.at(-1)?.type !== "finish") throw brokeOff();
    permit.succeeded();
    return { target, events };
  } catch (error) {
    permit.failed(error);
    throw error;
  }
}
