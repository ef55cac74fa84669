import { ProviderFailure } from "../contract/index.ts";
import type { OutboundFetch } from "./outbound-call.ts";
import { createOutboundFetch, type OutboundOptions } from "./outbound-fetch.ts";

/** Short enough to wait for in a test, long enough that a busy machine does not hit them by accident. */
export const PATIENT = { connectMs: 2_000, firstByteMs: 5_000, idleMs: 5_000 };

export function testFetch(options: Partial<OutboundOptions> = {}): OutboundFetch {
  return createOutboundFetch({ timeouts: PATIENT, maxBodyBytes: 8 << 20, provider: "test", ...options });
}

export const never = (): AbortSignal => new AbortController().signal;

export function chatInit(model: string, more: { stream?: boolean; signal?: AbortSignal } = {}) {
  const { stream = true, signal = never() } = more;
  return {
    method: "POST" as const,
    headers: { "content-type": "application/json", authorization: "Bearer sk-test-canary-0001" },
    body: JSON.stringify({ model, stream, messages: [{ role: "user", content: "hi" }] }),
    signal,
  };
}

/** The ProviderFailure that the work failed with; anything else makes the test fail. */
export async function failureFrom(work: Promise<unknown>): Promise<ProviderFailure> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ProviderFailure) return error;
    throw error;
  }
  throw new Error("nothing failed");
}
