/**
 * The tokens that a provider will probably report for a prompt of some kind, from our own count of them:
 *
 *     ceil(tokens × factor + added)
 *
 *     factor = (30,000 + reported) / (30,000 + estimated)    from 0.5 to 2
 *     added  = beyond / (3 + calls)                          from 0 to 1,000
 *
 * `estimated` and `reported` are sums over long prompts of every kind: our count of their text, and the provider's
 * count minus what it adds. `calls` and `beyond` are sums over short prompts of that kind: their number, and the tokens
 * reported beyond our count times the factor. The 30,000 tokens and the 3 calls are a prior: until more than that was
 * seen, the result stays close to our own count.
 */
export const DOUBT_TOKENS = 30_000;
export const DOUBT_CALLS = 3;

const LEAST_FACTOR = 0.5;
const MOST_FACTOR = 2;
/** More than any provider is known to add for tools. */
const MOST_ADDED_TOKENS = 1_000;

export function correctedTokens(tokens: number, factor: number, added: number): number {
  return Math.ceil(tokens * factor + added);
}

export function factorFrom(estimated: number, reported: number): number {
  return clamp((DOUBT_TOKENS + reported) / (DOUBT_TOKENS + estimated), LEAST_FACTOR, MOST_FACTOR);
}

export function addedFrom(calls: number, beyond: number): number {
  return clamp(beyond / (calls + DOUBT_CALLS), 0, MOST_ADDED_TOKENS);
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
