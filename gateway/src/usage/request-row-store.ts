/** Columns from `requests`, in the same order as `RUNNING_COLUMNS`. */
export const ENDED_COLUMNS = `request_id, created_at, endpoint, model, status, key_id, member_id,
  charged_subscription + charged_anytime as credits, input_tokens, output_tokens, tokens_saved, latency_ms, error_code,
  reason, measured`;

/** The same columns from `holds`, for a job that is running. */
export const RUNNING_COLUMNS = `request_id, created_at, endpoint, model, 'processing' as status, key_id, member_id,
  0::bigint as credits, 0::bigint as input_tokens, 0::bigint as output_tokens, 0::bigint as tokens_saved,
  null::integer as latency_ms, null::text as error_code, null::text as reason, null::jsonb as measured`;

/** A row `q` of either as a `RequestRecord`; apply it after the limit, since names are looked up once per row. */
export const RECORD_COLUMNS = `q.request_id as "requestId", q.created_at as "createdAt", q.endpoint, q.model, q.status,
  q.key_id as "keyId", (select k.name from api_keys k where k.id = q.key_id) as "keyName",
  q.member_id as "memberId", (select u.name from "user" u where u.id = q.member_id) as "memberName",
  q.credits::float8 as credits, q.input_tokens::float8 as "inputTokens", q.output_tokens::float8 as "outputTokens",
  q.tokens_saved::float8 as "tokensSaved", q.latency_ms as "latencyMs", q.error_code as "errorCode", q.reason,
  q.measured`;
