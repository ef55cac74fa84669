import { describe, expect, test } from "bun:test";
import { modelFrom } from "../../catalog/testing.ts";
import { type ChatEvent, ProviderFailure, type ProviderFailureKind } from "../../contract/index.ts";
import { Stopped, Stopper, systemClock } from "../../kit/index.ts";
import { createBreaker } from "../../outbound/index.ts";
import { createRegistry } from "../../providers/index.ts";
import { answerWhole } from "../answer/answer-whole.ts";
import { chatFromTargets } from "./chat-targets.ts";
import { targetsInTurn } from "./targets-in-turn.ts";

const FINISH: ChatEvent = { type: "finish", reason: "stop", usage: null };
const modelOf = (...names: string[]) =>
  modelFrom({
    type: "text",
    targets: names.map((name) => ({ provider: "acme", model: name })),
    credits_per_request: 1,
    limits: { context_tokens: 100, max_output_tokens: 100 },
  });
const model = modelOf("first", "second");

type Call = { stopped: Stopped | null; onStop(): void };
type Answer = (upstreamModel: string) => Promise<readonly ChatEvent[]>;

function inputFor(answer: Answer, asking = model) {
  async function* chat(upstreamModel: string) {
    yield await answer(upstreamModel);
  }
  return {
    registry: createRegistry([{ name: "acme", text: { chat, answer, onDisconnect: "stop" } }]),
    breaker: createBreaker({ clock: systemClock }),
    model: asking,
    request: { messages: [], maxOutputTokens: 1 },
    requestId: "r",
    orgId: "o",
    clock: systemClock,
  };
}

type Way = (answer: Answer, call: Call, asking?: typeof model) => Promise<unknown>;

const WAYS: readonly [string, Way][] = [
  ["a stream", (answer, call, asking) => chatFromTargets(inputFor(answer, asking), call).next()],
  ["an answer in one piece", (answer, call, asking) => answerWhole(inputFor(answer, asking), call)],
  [
    "media",
    (answer, call, { targets } = model) =>
      targetsInTurn(targets, { call, attempting: { controller: new Stopper() } }, ({ model }) =>
        answer(model),
      ),
  ],
];

/** Two targets, the first of which fails in this way once `meanwhile` has happened; returns which were asked. */
async function asked(
  way: Way,
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

  test("asks the next target if one failed after it took the order", async () => {
    const failure = Object.assign(new ProviderFailure("unavailable", "no"), { mayBeMade: true });
    expect(await asked(way, failure)).toEqual(["first", "second"]);
  });

  test("asks no other target once an answer has begun", async () => {
    const failure = new ProviderFailure("unavailable", "no");
    failure.hasBegun = true;
    expect(await asked(way, failure)).toEqual(["first"]);
  });

  const UNAVAILABLE = { status: 503 };

  /** What the only target of a model was asked, if it fails each time. */
  async function askedAlone(failure: ProviderFailure): Promise<number> {
    let times = 0;
    const call: Call = { stopped: null, onStop: () => {} };
    const failing = () => {
      times++;
      return Promise.reject(failure);
    };
    await way(failing, call, modelOf("only")).catch(() => {});
    return times;
  }

  test("asks the only target once more if it said that it could not serve", async () => {
    expect(await askedAlone(new ProviderFailure("unavailable", "no", UNAVAILABLE))).toBe(2);
    expect(await askedAlone(new ProviderFailure("rate_limited", "no", { status: 429 }))).toBe(2);
  });

  test.each([
    ["the request", new ProviderFailure("rejected", "no", { status: 400 })],
    ["our key", new ProviderFailure("unauthorized", "no", { status: 401 })],
    ["the time", new ProviderFailure("timeout", "no", { status: 408 })],
    ["a limit that lasts", new ProviderFailure("rate_limited", "no", { status: 429, retryAfterSeconds: 3 })],
    ["an account without credit", new ProviderFailure("rate_limited", "no", { status: 429, isUnpaid: true })],
    ["an open circuit", new ProviderFailure("unavailable", "no", { ...UNAVAILABLE, isPassedOver: true })],
    ["an answer that it cannot give", new ProviderFailure("unavailable", "no", { targetHealth: "up" })],
    [
      "an answer that nobody can read",
      new ProviderFailure("unavailable", "no", { reason: "provider_bad_reply" }),
    ],
    [
      "a second failure",
      Object.assign(new ProviderFailure("unavailable", "no", UNAVAILABLE), { isRepeated: true }),
    ],
    [
      "an answer that broke off",
      Object.assign(new ProviderFailure("unavailable", "no", UNAVAILABLE), { hasBegun: true }),
    ],
  ])("asks the only target once if it failed for %s", async (_, failure) => {
    expect(await askedAlone(failure)).toBe(1);
  });

  test("fails with the failure of the last target", async () => {
    const call: Call = { stopped: null, onStop: () => {} };
    const work = way((name) => Promise.reject(new ProviderFailure("unavailable", name)), call);
    await expect(work).rejects.toThrow("second");
  });
});

const MAY_BE_MADE: readonly [string, ProviderFailure][] = [
  ["its connection broke", new ProviderFailure("unavailable", "no")],
  ...[500, 502, 504, 520, 524].map((status): [string, ProviderFailure] => [
    `it answered with ${status}`,
    new ProviderFailure("unavailable", "no", { status }),
  ]),
  ["a proxy lost it", new ProviderFailure("unavailable", "no", { status: 503, isBrokenBehind: true })],
  [
    "it took the order",
    Object.assign(new ProviderFailure("unavailable", "no", { status: 503 }), { mayBeMade: true }),
  ],
];

test.each(MAY_BE_MADE)(
  "the only target of a text is asked again if %s, that of media is not",
  async (_, failure) => {
    const times = await Promise.all(
      WAYS.map(async ([, way]) => {
        let count = 0;
        const counted = () => {
          count++;
          return Promise.reject(failure);
        };
        await way(counted, { stopped: null, onStop: () => {} }, modelOf("only")).catch(() => {});
        return count;
      }),
    );
    expect(times).toEqual([2, 2, 1]);
  },
);

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
