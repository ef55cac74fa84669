/**
 * Long work in small steps: wherever it yields, others may be served first. Its result must not depend on that, and
 * nothing that it shares with other work may be in use while it yields.
 */
export type Steps<Value> = Generator<void, Value, void>;

/** Does all of it at once. */
export function finishSteps<Value>(steps: Steps<Value>): Value {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
