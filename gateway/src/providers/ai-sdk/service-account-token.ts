import { sign } from "node:crypto";
import { type FreeQuestion, lateAnswer, ProviderFailure } from "../../contract/index.ts";
import {
  type Clock,
  isObject,
  MINUTE_MS,
  raceSignal,
  SECOND_MS,
  type StopSignal,
  systemClock,
} from "../../kit/index.ts";
import { failureOfResponse, type OutboundFetch, readJson } from "../../outbound/index.ts";
import type { ServiceAccount } from "../settings.ts";

const SCOPE = "https://www.googleapis.com/auth/cloud-platform";
const GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
/** The longest that Google accepts for the claim; the token that it is exchanged for lasts as long. */
const CLAIM_SECONDS = 3_600;
/** A token is replaced this long before its end, and serves meanwhile: the token service may be slow, or down. */
const SPARE_MS = 2 * MINUTE_MS;
/** Between two attempts to replace it while it serves: each costs a signature, and calls may come by the thousand. */
const PAUSE_MS = 5 * SECOND_MS;
/** No call is sent with a token that could end on its way. */
const LEAST_MS = 10 * SECOND_MS;
/** Every call waits for the first token. */
const EXCHANGE_LIMIT_MS = 20 * SECOND_MS;
const MAX_ANSWER_BYTES = 64 << 10;
const FORM_HEADERS = { "content-type": "application/x-www-form-urlencoded" };

type Token = { readonly text: string; readonly endsAtMs: number };

/**
 * The same calls with the account's token in front of each. One token serves all calls until it is replaced, or until it
 * is refused.
 */
export function withServiceAccount(
  outbound: OutboundFetch,
  account: ServiceAccount,
  clock: Clock = systemClock,
): OutboundFetch {
  let held: Token | undefined;
  let asked: Promise<Token> | undefined;
  let askedAtMs = 0;

  async function replace(): Promise<Token> {
    try {
      held = await exchange(outbound, account, clock);
      return held;
    } finally {
      asked = undefined;
    }
  }

  /** Nobody exchanges a second claim while one is under way. */
  function ask(): Promise<Token> {
    if (asked === undefined) {
      askedAtMs = clock.nowMs();
      asked = replace();
    }
    return asked;
  }

  async function current(signal: StopSignal): Promise<Token> {
    const leftMs = held === undefined ? 0 : held.endsAtMs - clock.nowMs();
    if (held === undefined || leftMs <= LEAST_MS) return raceSignal(ask(), signal);
    // Whoever needs the next token hears of a failure.
    if (leftMs <= SPARE_MS && clock.nowMs() >= askedAtMs + PAUSE_MS) ask().catch(() => {});
    return held;
  }

  return async (url, init) => {
    const used = await current(init.signal);
    // The library sends an empty one where there is none.
    const { "x-goog-api-key": _key, ...headers } = init.headers;
    const response = await outbound(url, {
      ...init,
      headers: { ...headers, authorization: `Bearer ${used.text}` },
    });
    if (response.status === 401 && held === used) held = undefined;
    return response;
  };
}

/** The exchange itself costs nothing, and fails where every call would. */
export function tokenQuestion(account: ServiceAccount, clock: Clock = systemClock): FreeQuestion {
  const form = () => formOf(account, clock.nowMs());
  return { url: account.tokenUrl, headers: FORM_HEADERS, form, provesKey: true, listsModels: false };
}

/** Not stopped with the call that asked first: others may be waiting for the same token. */
async function exchange(outbound: OutboundFetch, account: ServiceAccount, clock: Clock): Promise<Token> {
  const askedAtMs = clock.nowMs();
  const signal = AbortSignal.timeout(EXCHANGE_LIMIT_MS);
  const ask = async () => {
    const response = await outbound(account.tokenUrl, {
      method: "POST",
      headers: FORM_HEADERS,
      body: formOf(account, askedAtMs),
      signal,
    });
    if (!response.ok) throw refusal(await failureOfResponse(response));
    return readJson(response, MAX_ANSWER_BYTES);
  };
  const answer = await ask().catch((error) => {
    throw signal.aborted ? lateAnswer("the token service") : error;
  });
  const text = isObject(answer) ? answer["access_token"] : null;
  const seconds = isObject(answer) ? answer["expires_in"] : null;
  if (typeof text !== "string" || !/^[\x21-\x7e]+$/.test(text) || typeof seconds !== "number")
    throw new ProviderFailure("unavailable", "The model's provider failed.", {
      internal: "the token service answered without a token",
    });
  return { text, endsAtMs: askedAtMs + seconds * SECOND_MS };
}

/** The token service refuses a claim with a 400, which of the call itself would be the caller's mistake. */
function refusal(failure: ProviderFailure): ProviderFailure {
  if (failure.kind !== "rejected" && failure.kind !== "context_overflow") return failure;
  return new ProviderFailure("unauthorized", "The model's provider refused our account.", failure.detail);
}

function formOf(account: ServiceAccount, nowMs: number): string {
  return new URLSearchParams({ grant_type: GRANT, assertion: claimOf(account, nowMs) }).toString();
}

function claimOf({ email, privateKey, keyId, tokenUrl }: ServiceAccount, nowMs: number): string {
  const issuedAt = Math.floor(nowMs / SECOND_MS);
  const head = { alg: "RS256", typ: "JWT", ...(keyId === undefined ? {} : { kid: keyId }) };
  const claim = { iss: email, scope: SCOPE, aud: tokenUrl, iat: issuedAt, exp: issuedAt + CLAIM_SECONDS };
  const signed = [head, claim]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  return `${signed}.${sign("RSA-SHA256", Buffer.from(signed), privateKey).toString("base64url")}`;
}
