import type { RequestRecord, RequestStatus } from "./request-record.ts";

export type RequestRow = {
  request_id: string;
  created_at: Date;
  endpoint: string;
  model: string;
  status: RequestStatus;
  key_id: string;
  key_name: string | null;
  member_id: string | null;
  member_name: string | null;
  credits: string;
  input_tokens: string;
  output_tokens: string;
  tokens_saved: string;
  latency_ms: number | null;
  error_code: string | null;
  reason: string | null;
  measured: unknown;
};

/** Columns from `requests`, in the same order as `RUNNING_COLUMNS`. */
export const ENDED_COLUMNS = `request_id, created_at, endpoint, model, status, key_id, member_id,
  charged_subscription + charged_anytime as credits, input_tokens, output_tokens, tokens_saved, latency_ms, error_code,
  reason, measured`;

/** The same columns from `holds`, for a job that is running. */
export const RUNNING_COLUMNS = `request_id, created_at, endpoint, model, 'processing' as status, key_id, member_id,
  0::bigint as credits, 0::bigint as input_tokens, 0::bigint as output_tokens, 0::bigint as tokens_saved,
  null::integer as latency_ms, null::text as error_code, null::text as reason, null::jsonb as measured`;

/** Looks up names for a row `q` of either; apply it after the limit, since it runs once per row. */
export const NAMES = `(select k.name from api_keys k where k.id = q.key_id) as key_name,
  (select u.name from "user" u where u.id = q.member_id) as member_name`;

export function requestFromRow(row: RequestRow): RequestRecord {
  return {
    requestId: row.request_id,
    createdAt: row.created_at,
    endpoint: row.endpoint,
    model: row.model,
    status: row.status,
    keyId: row.key_id,
    keyName: row.key_name,
    memberId: row.member_id,
    memberName: row.member_name,
    credits: Number(row.credits),
    inputTokens: Number(row.input_tokens),
    outputTokens: Number(row.output_tokens),
    tokensSaved: Number(row.tokens_saved),
    latencyMs: row.latency_ms,
    errorCode: row.error_code,
    reason: row.reason,
    measured: row.measured,
  };
}
