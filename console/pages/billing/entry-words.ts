import { capital } from "../../parts/format.ts";
import { endpointWords } from "../usage/words.ts";

const MONTHLY = /^monthly credits of the (.+) plan$/;

/** What a ledger entry is for. Charges are recorded as `endpoint model`, monthly credits with the plan's bare name. */
export function entryWords(description: string): string {
  const [first = "", ...rest] = description.split(" ");
  const endpoint = endpointWords(first);
  if (endpoint !== first) return `${endpoint}, ${rest.join(" ")}`;
  return capital(description.replace(MONTHLY, (_, plan) => `monthly credits of the ${capital(plan)} plan`));
}
