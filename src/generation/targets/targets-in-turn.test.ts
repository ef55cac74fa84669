import { describe, expect, test } from "bun:test";
import { modelFrom } from "../../catalog/testing.ts";
import { Stopped, systemClock } from "../../kit/index.ts";
import {
  type ChatEvent,
  createBreaker,
  createRegistry,
  ProviderFailure,
  type ProviderFailureKind,
} from "../../providers/index.ts";
import { answerWhole } from "../answer/answer-whole.ts";
import { chatFromTargets } from "./chat-targets.ts";
import { targetsInTurn } from "./targets-in-turn.ts";

const FINISH: ChatEvent = { type: "finish", reason: "stop", usage: null };
const model = modelFrom({
  type: "text",
  targets: ["first", "second"].map((name) => ({ provider: "acme", model: name })),
  credits_per_request: 1,
  limits: { context_tokens: 100, max_output_tokens: 100 },
});

type Call = { stopped: Stopped | null; onStop(): void };
type Answer = (upstreamModel: string) => Promise<readonly ChatEvent[]>;

function inputFor(answer: Answer) {
  async function* chat(upstreamModel: string) {
    yield await answer(upstreamModel);
  }
  return {
    registry: createRegistry([{ name: "acme", text: { chat, answer, onDisconnect: "stop" } }]),
    breaker: createBreaker({ clock: systemClock }),
    model,
    request: { messages: [], maxOutputTokens: 1 },
    requestId: "r",
    orgId: "o",
  };
}

const WAYS: readonly [string, (answer: Answer, call: Call) => Promise<unknown>][] = [
  ["a stream", (answer, call) => chatFromTargets(inputFor(answer), call).next()],
  ["an answer in one piece", (answer, call) => answerWhole(inputFor(answer), call)],
  ["media", (answer, call) => targetsInTurn(model.targets, call, ({ model }) => answer(model))],
];

/** Two targets, the first of which fails in this way once `meanwhile` has happened; returns which were asked. */
async function asked(
  way: (answer: Answer, call: Call) => Promise<unknown>,
  failure: ProviderFailureKind | ProviderFailure,
  meanwhile: (call: Call) => void = () => {},
): Promise<string[]> {
  const names: string[] = [];
  const call: Call = { stopped: null, onStop: () => {} };
  const work = way(async (name) => {
    names.push(name);
    if (name === "second") return [FINISH];
    await Promise.resolve();
    meanwhile(call);
    throw typeof failure === "string" ? new ProviderFailure(failure, "no") : failure;
  }, call);
  await work.catch(() => {});
  return names;
}

describe.each(WAYS)("%s", (_, way) => {
  test.each(["rate_limited", "unavailable", "timeout", "unauthorized"] as const)(
    "asks the next target if one fails as %s",
    async (kind) => {
      expect(await asked(way, kind)).toEqual(["first", "second"]);
    },
  );

  test.each(["rejected", "context_overflow"] as const)(
    "asks no other target if one finds fault with the request: %s",
    async (kind) => {
      expect(await asked(way, kind)).toEqual(["first"]);
    },
  );

  test("asks the next target if one rejects a field that it does not support", async () => {
    const untold = new ProviderFailure("rejected", "no", { field: "logit_bias" });
    expect(await asked(way, untold)).toEqual(["first", "second"]);
  });

  test("asks no other target once the call was stopped, even if the provider fails only later", async () => {
    const stop = (call: Call) => {
      call.stopped = new Stopped("deadline");
    };
    expect(await asked(way, "unavailable", stop)).toEqual(["first"]);
  });

  test("asks no other target once an answer has begun", async () => {
    const failure = new ProviderFailure("unavailable", "no");
    failure.hasBegun = true;
    expect(await asked(way, failure)).toEqual(["first"]);
  });

  test("fails with the failure of the last target", async () => {
    const call: Call = { stopped: null, onStop: () => {} };
    const work = way((name) => Promise.reject(new ProviderFailure("unavailable", name)), call);
    await expect(work).rejects.toThrow("second");
  });
});

test("a stream that is left while its first target is being asked asks no other target", async () => {
  const names: string[] = [];
  const failed = Promise.withResolvers<never>();
  const batches = chatFromTargets(
    inputFor((name) => {
      names.push(name);
      return failed.promise;
    }),
    { stopped: null },
  );
  const next = batches.next();
  void batches.return();
  failed.reject(new ProviderFailure("unavailable", "no"));
  await next.catch(() => {});
  expect(names).toEqual(["first"]);
});
