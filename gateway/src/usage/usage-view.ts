import type { RefusalSum } from "./refusal-store.ts";
import type { RequestStatus } from "./request-record.ts";

export type DayUsage = {
  readonly date: string;
  readonly requests: number;
  readonly credits_charged: number;
};

export type ModelUsage = {
  readonly model: string;
  readonly type: string;
  readonly requests: number;
  readonly credits_charged: number;
  /** What providers' caches saved, net of writing to them; negative if that cost more. To a hundredth of a credit. */
  readonly cache_saved_credits: number;
};

/** `from` and `to` are UTC dates, both inclusive. */
export type UsageSummary = {
  readonly from: string;
  readonly to: string;
  readonly days: number;
  readonly requests: number;
  readonly failed_requests: number;
  readonly credits_charged: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly tokens_saved: number;
  readonly cache: {
    readonly read_tokens: number;
    readonly written_tokens: number;
    readonly saved_credits: number;
  };
  readonly by_day: readonly DayUsage[];
  readonly by_model: readonly ModelUsage[];
  /** Of calls that were refused before they held anything: none of them is among the requests. */
  readonly refused_requests: number;
  readonly refusals_by_code: readonly RefusalSum[];
};

/**
 * A null id, last in the list, stands for all keys that spent less than those before, combined. A null name means that
 * the key no longer exists.
 */
export type ApiKeyUsage = {
  readonly api_key_id: string | null;
  readonly name: string | null;
  readonly last_four: string | null;
  readonly requests: number;
  readonly credits_charged: number;
  readonly last_used_at: string;
  readonly cache_saved_credits: number;
};

/**
 * A null id stands for calls that name no member. Former members are still named, since reports say who spent; a null
 * name means that the account no longer exists.
 */
export type MemberUsage = {
  readonly member_user_id: string | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly requests: number;
  readonly credits_charged: number;
};

export type RequestView = {
  readonly request_id: string;
  readonly created_at: string;
  readonly endpoint: string;
  readonly model: string;
  readonly status: RequestStatus;
  readonly api_key_id: string;
  readonly member_user_id: string | null;
  readonly credits_charged: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly tokens_saved: number;
  readonly latency_ms: number | null;
  readonly error_code: string | null;
  readonly reason: string | null;
};

export type UsageView = {
  readonly summary: UsageSummary;
  readonly by_api_key: readonly ApiKeyUsage[];
  readonly by_member: readonly MemberUsage[];
  readonly requests: readonly RequestView[];
  /** Where the next page of requests begins; null on the last one. */
  readonly next_cursor: string | null;
};
