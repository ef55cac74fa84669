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
};

/** `from` and `to` are UTC dates, both included. */
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
  readonly by_day: readonly DayUsage[];
  readonly by_model: readonly ModelUsage[];
};

/** A null key, the last of the list, is all that spent less than the ones before, together. A null name is a key that is gone. */
export type ApiKeyUsage = {
  readonly api_key_id: string | null;
  readonly name: string | null;
  readonly last_four: string | null;
  readonly requests: number;
  readonly credits_charged: number;
  readonly last_used_at: string;
};

/** A null member is the spend that no call attributed to anybody. Who has left is still named: reports say who spent. Null is an account that is gone. */
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
};

export type UsageView = {
  readonly summary: UsageSummary;
  readonly by_api_key: readonly ApiKeyUsage[];
  readonly by_member: readonly MemberUsage[];
  readonly requests: readonly RequestView[];
};
