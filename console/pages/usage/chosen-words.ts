import type { UsageReport } from "../../../gateway/src/http/console/contract.ts";
import { UNATTRIBUTED, type View } from "./use-filter.ts";
import { endpointWords } from "./words.ts";

export const DAY_WORDS: Readonly<Record<string, string>> = {
  "1": "Today",
  "7": "7 days",
  "30": "30 days",
  "90": "90 days",
};

/** The days and filters in one line: on paper nothing else shows them. */
export function chosenWords(view: View, choices: UsageReport["choices"] | undefined): string {
  const { days, model, endpoint, keyId, memberId, status } = view;
  const nameOf = (known: readonly { id: string; name: string }[] = [], id: string) =>
    known.find((one) => one.id === id)?.name ?? id;
  return [
    DAY_WORDS[days],
    model,
    endpoint && endpointWords(endpoint),
    keyId && `key ${nameOf(choices?.keys, keyId)}`,
    memberId && (memberId === UNATTRIBUTED ? "unattributed" : nameOf(choices?.members, memberId)),
    status && `requests: ${status}`,
  ]
    .filter(Boolean)
    .join(", ");
}
