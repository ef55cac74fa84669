import type { TextModel } from "../catalog/index.ts";
import { assert, failpoint, present, type Stopped } from "../kit/index.ts";
import type { Registry } from "../providers/index.ts";
import type { TargetBatch } from "./chat-targets.ts";
import { attemptTarget, brokeOff, mayTryNext, type TargetsInput } from "./target-attempt.ts";

/** Whoever may stop the call while it waits. */
type Stoppable = {
  readonly stopped: Stopped | null;
  onStop(listener: (stopped: Stopped) => void): void;
};

/** Can every target of the model answer in one piece without a stream? Which one will, nobody knows before. */
export function canAnswerWhole(registry: Registry, model: TextModel): boolean {
  return model.targets.every(({ provider }) => registry.text(provider).answer !== undefined);
}

/**
 * An answer in one piece: the model's targets in order, within one hold, until one answers. The shortest way
 * there is, since most calls of most applications take it. A stop ends it whether the provider heeds it or not.
 */
export function answerWhole(input: TargetsInput, call: Stoppable): Promise<TargetBatch> {
  return new Promise((resolve, reject) => {
    let controller: AbortController | null = null;
    call.onStop((stopped) => {
      controller?.abort(stopped);
      reject(stopped);
    });
    if (call.stopped !== null) return reject(call.stopped);
    askTargets(input, call, (next) => {
      controller = next;
    }).then(resolve, reject);
  });
}

async function askTargets(
  input: TargetsInput,
  call: Stoppable,
  attempting: (controller: AbortController) => void,
): Promise<TargetBatch> {
  const { targets } = input.model;
  assert(targets.length > 0, "a model that resolves has a target");
  for (let at = 0; ; at++) {
    try {
      return await askTarget(input, present(targets[at], "a target"), attempting);
    } catch (error) {
      if (call.stopped !== null || !mayTryNext(error) || at + 1 === targets.length) throw error;
    }
  }
}

async function askTarget(
  input: TargetsInput,
  to: TextModel["targets"][number],
  attempting: (controller: AbortController) => void,
): Promise<TargetBatch> {
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
