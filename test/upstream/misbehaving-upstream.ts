import { present } from "../../gateway/src/kit/index.ts";
import type { Behaviour, Behaviours, Call } from "./behaviour.ts";
import { BROKEN_BEHAVIOURS } from "./broken-behaviours.ts";
import { HTTP_BEHAVIOURS } from "./http-behaviours.ts";
import { type Exchange, type ReceivedRequest, startRawServer } from "./raw-http.ts";
import { STREAM_BEHAVIOURS } from "./stream-behaviours.ts";
import { USAGE_BEHAVIOURS } from "./usage-behaviours.ts";

/** Everything that the upstream can do wrong, by name; `about` describes each. */
const BEHAVIOURS: Behaviours = {
  ...USAGE_BEHAVIOURS,
  ...HTTP_BEHAVIOURS,
  ...STREAM_BEHAVIOURS,
  ...BROKEN_BEHAVIOURS,
};

type ReceivedCall = ReceivedRequest & {
  readonly model: string;
  /** The parsed body; null if it was not JSON. */
  readonly body: Readonly<Record<string, unknown>> | null;
};

/**
 * A provider on the chat-completions wire that behaves as its model's name says: the model `reset-at:200` resets after
 * 200 bytes, a model of any other name gets a good answer. Where the name cannot be chosen, `as("reset-at:200")` is a
 * base URL at which every model behaves like that. For tests of faults; `scripted-upstream.ts` is for tests of content.
 */
export type MisbehavingUpstream = {
  /** Ends in /v1. */
  readonly baseUrl: string;
  as(behaviour: string): string;
  /** In the order of arrival. */
  readonly received: readonly ReceivedCall[];
  readonly connections: number;
  /** Resolves when this many calls have arrived. */
  arrived(count: number): Promise<void>;
  /** Resolves when the connection of a call is closed: that of the last call, or of the given number. */
  closed(number?: number): Promise<void>;
  /** Releases all calls that wait in `hold`, now and later. */
  openGate(): void;
  close(): Promise<void>;
};

export async function startMisbehavingUpstream(): Promise<MisbehavingUpstream> {
  const received: ReceivedCall[] = [];
  const arrivals = createCounter();
  const gate = Promise.withResolvers<void>();
  const barriers = createCounter();
  const server = await startRawServer(async (exchange) => {
    const { request } = exchange;
    const body = parsed(request.text);
    const model = typeof body?.["model"] === "string" ? body["model"] : "";
    received.push({ ...request, model, body });
    arrivals.add();
    const [behaviour, args] = behaviourOf(/^\/as\/([^/]+)\//.exec(request.path)?.[1] ?? model);
    await behaviour.answer(callOf(exchange, { args, isStream: body?.["stream"] === true, gate, barriers }));
  });
  const origin = `http://127.0.0.1:${server.port}`;
  return {
    baseUrl: `${origin}/v1`,
    as: (behaviour) => `${origin}/as/${encodeURIComponent(behaviour)}/v1`,
    received,
    get connections() {
      return server.connections;
    },
    arrived: (count) => arrivals.reached(count),
    async closed(number = received.length - 1) {
      await present(received[number], `call ${number} of ${received.length}`).closed;
    },
    openGate: () => gate.resolve(),
    close: () => server.close(),
  };
}

/** An address where nothing listens, so that a connection is refused. */
export async function refusedBaseUrl(): Promise<string> {
  const server = await startRawServer(() => {});
  await server.close();
  return `http://127.0.0.1:${server.port}/v1`;
}

function behaviourOf(name: string): [Behaviour, string[]] {
  const [first = "", ...args] = decodeURIComponent(name).split(":");
  const behaviour = Object.hasOwn(BEHAVIOURS, first) ? BEHAVIOURS[first] : BEHAVIOURS["ok"];
  if (behaviour === undefined) throw new Error(`no behaviour ${first}`);
  return [behaviour, args];
}

function callOf(
  exchange: Exchange,
  more: {
    readonly args: readonly string[];
    readonly isStream: boolean;
    readonly gate: { readonly promise: Promise<void> };
    readonly barriers: Counter;
  },
): Call {
  return Object.assign(exchange, {
    args: more.args,
    isStream: more.isStream,
    gate: () => more.gate.promise,
    barrier(size: number) {
      more.barriers.add();
      return more.barriers.reached(size);
    },
  });
}

type Counter = { add(): void; reached(count: number): Promise<void> };

function createCounter(): Counter {
  let count = 0;
  let waiting: { readonly count: number; wake(): void }[] = [];
  return {
    add() {
      count += 1;
      for (const waiter of waiting) if (waiter.count <= count) waiter.wake();
      waiting = waiting.filter((waiter) => waiter.count > count);
    },
    reached(wanted) {
      if (count >= wanted) return Promise.resolve();
      return new Promise((wake) => waiting.push({ count: wanted, wake }));
    },
  };
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
